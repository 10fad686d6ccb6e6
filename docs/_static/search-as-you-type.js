/* Shows results below the search field while one types, from the index that Sphinx builds. On the page of
   results, to which Enter leads, it shows the same ones in the same order, and all of them. */
"use strict";

(() => {
  const MOST = 8; // results
  const SHORTEST = 2; // letters of a query

  // Points for a word that a heading or a keyword is, is a word of it, begins it if it is one word, or begins
  // one of its words; and for one in the text.
  const HEADING = { whole: 15, word: 13, first: 12, beginning: 10 };
  const TEXT = 3;
  const TITLE = 6; // for another form of a word of a heading, such as "retries" for "retry"
  // Points for all words, one after the other, that are a heading or a keyword, or are in one; for all of them
  // anywhere in one; and for those in the text, one after the other.
  const PHRASE = { whole: 60, within: 30, all: 20, text: 6 };
  const REFERENCE = /reference|^api$|contract$|decisions|promises|changelog/;
  const FOR_CONTRIBUTORS = /^(leaves|architecture|benchmarks|dependencies|contribute)$/; // pages that are last
  const CLASS = /\bWes[A-Z]\w+/g; // in a heading
  const OF_CODE = /\bwes_provider\b/; // an entry such as "stock() (wes_provider.emulator...)"
  const LATER = 8; // points that a page of reference has less, unless one looks for a name of code
  const NAME = 30; // points for a name of code
  const EXCERPT = { longest: 120, before: 40 }; // letters of an excerpt, and of it before the first hit
  const SUMMARY = { longest: 240, before: 100 }; // the same on the page of results
  const UNIMPORTANT = new Set(
    (
      "a an and are at be by can do does for from have how i if in into is it me my need no not of on or our should " +
      "that the there this to us use using want we what when where which why will with you your"
    ).split(" "),
  );

  const here = document.currentScript.src;
  const form = document.querySelector(".sidebar-search-container");
  const field = form && form.querySelector("input[name=q]");
  const isPageOfResults = typeof Search !== "undefined" && Boolean(document.getElementById("search-results"));
  if (!field) return;

  // -- the search

  const loadScript = (address, onerror) => {
    const script = document.createElement("script");
    script.src = new URL(address, here);
    script.onerror = onerror;
    document.head.appendChild(script);
  };

  let texts = {}; // of sections, by page and anchor, if they can be had
  let entries = []; // errors that have an entry of their own: page, anchor, first words, text

  // searchindex.js and excerpts.js call these functions with what they have.
  const loadTexts = () =>
    new Promise((resolve) => {
      window.setExcerpts = (found, errors) => {
        [texts, entries] = [found, errors];
        resolve();
      };
      loadScript("excerpts.js", resolve);
    });

  const loadIndex = () => {
    const index = new Promise((resolve, reject) => {
      window.Search = { setIndex: resolve };
      loadScript("language_data.js"); // sets window.Stemmer
      loadScript("../searchindex.js", reject);
    });
    // The index is of use only with the texts, unless they cannot be had.
    return Promise.all([index, loadTexts()]).then(([found]) => found);
  };

  let loading = null;

  const loadOnce = () => {
    loading = loading || loadIndex();
    return loading;
  };

  /* Returns the words of a heading, and also "wes replenish coupon list operator" of a class in it. */
  const wordsOfHeading = (heading) => {
    const parts = heading.replace(CLASS, (name) => name.replace(/(?=[A-Z])/g, " "));
    return parts === heading ? wordsOf(heading) : [...wordsOf(heading), ...wordsOf(parts)];
  };

  const pointsOf = (heading, word) => {
    const text = wordsOfHeading(heading).join(" ");
    if (text === word) return HEADING.whole;
    if (` ${text} `.includes(` ${word} `)) return HEADING.word;
    if (text.startsWith(word) && !text.includes(" ")) return HEADING.first;
    return ` ${text}`.includes(` ${word}`) ? HEADING.beginning : 0;
  };

  const pointsOfPhrase = (heading, words) => {
    if (words.length < 2) return 0;
    const phrase = words.join(" ");
    const all = wordsOfHeading(heading);
    const texts = [all.join(" "), importantOf(all).join(" ")]; // "upload a file" is "upload file", too
    if (texts.includes(phrase)) return PHRASE.whole;
    if (texts.some((text) => ` ${text}`.includes(` ${phrase}`))) return PHRASE.within;
    return words.every((word) => pointsOf(heading, word)) ? PHRASE.all : 0;
  };

  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

  const wordsOf = (text) => text.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean);

  /* Returns the words that say what one looks for; the last one may not be complete yet. */
  const importantOf = (words) => {
    const important = words.filter((word) => !UNIMPORTANT.has(word));
    return important.length ? important : words;
  };

  const isBeginning = (term, word) =>
    term.startsWith(word) || (term.length > 2 && word.startsWith(term) && word.length - term.length < 3);

  const withI = (word) => word.replace(/(y|ies|ied)$/, "i");

  // "retry" and "retries" are the same word.
  const isSameWord = (term, word) => isBeginning(term, word) || withI(term) === withI(word);

  const stems = new Map();

  /* Returns the stem of a word as the index has it, or the word if the stemmer could not be loaded. */
  const stemOf = (word) => {
    if (!window.Stemmer) return word;
    if (!stems.has(word)) stems.set(word, new window.Stemmer().stemWord(word));
    return stems.get(word);
  };

  // The index has stems of words: "uploads" is there as "upload", "validation" as "valid".
  const isTermOf = (term, word) => isSameWord(term, word) || term === stemOf(word);

  /* Returns the number of letters to add, remove, replace or swap with the next one. */
  const distance = (one, other) => {
    const rows = [[...Array(other.length + 1).keys()]];
    for (let i = 1; i <= one.length; i += 1) {
      rows.push([i]);
      for (let j = 1; j <= other.length; j += 1) {
        const replaced = rows[i - 1][j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1);
        rows[i].push(Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced));
        if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
          rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
        }
      }
    }
    return rows[one.length][other.length];
  };

  let known = null;

  /* Returns the text of each section, and its words. A page's first section has no anchor, as in the index. */
  const textsOf = (index) => {
    known =
      known ||
      Object.entries(texts).flatMap(([name, sections]) =>
        Object.entries(sections).map(([anchor, text], number) => {
          const words = wordsOf(text);
          return {
            page: index.docnames.indexOf(name),
            anchor: number ? anchor : "",
            words: new Set(words),
            text: words.join(" "),
          };
        }),
      );
    return known.filter(({ page }) => page >= 0);
  };

  /* Returns the word, or the closest one of the index if no page has it. Words of headings come first. */
  const closest = (index, word) => {
    const headings = [...Object.keys(index.alltitles), ...Object.keys(index.indexentries)];
    const terms = [...Object.keys(index.titleterms), ...Object.keys(index.terms)];
    const isThere =
      headings.some((heading) => pointsOf(heading, word)) ||
      terms.some((term) => isTermOf(term, word)) ||
      textsOf(index).some(({ words }) => [...words].some((one) => isSameWord(one, word)));
    if (isThere || word.length < 4) return word;
    let [best, least] = [word, word.length < 6 ? 2 : 3];
    for (const other of new Set([...headings.flatMap(wordsOf), ...terms])) {
      const far = Math.abs(other.length - word.length) < least ? distance(word, other) : least;
      if (far < least) [best, least] = [other, far];
    }
    return best;
  };

  /* Returns, for each page, the points of each word, and its best section. */
  const scoresOf = (index, words, phrase) => {
    const scores = index.docnames.map(() => ({ points: words.map(() => 0), sections: new Map() }));
    const note = (page, number, points) => {
      scores[page].points[number] = Math.max(scores[page].points[number], points);
    };
    const sectionOf = (page, anchor) => {
      const { sections } = scores[page];
      if (!sections.has(anchor)) {
        sections.set(anchor, { title: index.titles[page], anchor, words: words.map(() => 0), phrase: 0, extra: 0 });
      }
      return sections.get(anchor);
    };
    const noteHeading = (text, page, anchor) => {
      const section = sectionOf(page, anchor || "");
      section.phrase = Math.max(section.phrase, pointsOfPhrase(text, phrase), pointsOfPhrase(text, words));
      words.forEach((word, number) => {
        const points = pointsOf(text, word);
        section.words[number] = Math.max(section.words[number], points);
        note(page, number, points);
      });
      return section;
    };
    for (const [title, places] of Object.entries(index.alltitles)) {
      for (const [page, anchor] of places) noteHeading(title, page, anchor).title = title;
    }
    for (const [entry, places] of Object.entries(index.indexentries)) {
      if (OF_CODE.test(entry)) continue; // namesOfCode has them
      for (const [page, anchor] of places) {
        // A keyword above the first heading is one of the page.
        noteHeading(entry, page, scores[page].sections.has(anchor) ? anchor : "");
      }
    }
    const noteTerms = (terms, points) => {
      for (const [term, pages] of Object.entries(terms)) {
        words.forEach((word, number) => {
          if (isTermOf(term.toLowerCase(), word)) [pages].flat().forEach((page) => note(page, number, points));
        });
      }
    };
    noteTerms(index.terms, TEXT);
    noteTerms(index.titleterms, TITLE);
    for (const { page, anchor, words: found, text } of textsOf(index)) {
      const hits = words.map((word) => [...found].some((one) => isSameWord(one, word)));
      if (hits.some(Boolean)) {
        const section = sectionOf(page, anchor);
        hits.forEach((hit, number) => {
          if (!hit) return;
          section.words[number] = Math.max(section.words[number], TEXT);
          note(page, number, TEXT); // the index has stems only, such as "authent"
        });
        if (phrase.length > 1 && ` ${text}`.includes(` ${phrase.join(" ")}`)) section.extra = PHRASE.text;
      }
    }
    return scores.map(({ points, sections }) => {
      const all = [...sections.values()].map((one) => ({ ...one, points: sum(one.words) + one.phrase + one.extra }));
      all.sort((one, other) => other.points - one.points || one.anchor.localeCompare(other.anchor));
      return { points, section: all[0] };
    });
  };

  const isBeginningIn = (name, query) => {
    const place = name.toLowerCase().indexOf(query.toLowerCase());
    return place === 0 || (place > 0 && (/[._]/.test(name[place - 1]) || /[A-Z]/.test(name[place])));
  };

  const namesOfCode = (index, query) => {
    const names = [];
    for (const [prefix, members] of Object.entries(index.objects)) {
      for (const [page, , , anchor, name] of members) {
        const title = `${prefix}.${name}`;
        // The beginning of a part of the name: of a module, a class, a word of either.
        if (isBeginningIn(title, query)) {
          names.push({ page, title, anchor: anchor || title, points: NAME });
        }
      }
    }
    return names;
  };

  /* Returns how many letters of an entry's first words the query begins with: "3 of 5 files failed: ..." has those
     of "N of M files failed: ...". It has none, but may be a part of them. */
  const lettersOf = (title, query) => {
    const shown = query.replace(/^Wes\w+: /, "");
    const lengths = title.split(/, (?:or |(?=[A-Z.]))/).map((first) => {
      const parts = first.replace(/[.: ]+$/, "").split("...");
      const escaped = parts.map((part) =>
        part
          .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
          .replace(/\b[NM]\b/g, "\\d+")
          .replace(/xx$/, "\\d\\d"),
      );
      return new RegExp(`^${escaped.join(".+")}(?!\\w)`, "i").test(shown) ? first.length : 0;
    });
    const isPart = / /.test(shown) && shown.length > 7 && title.toLowerCase().includes(shown.toLowerCase());
    return Math.max(...lengths, isPart ? 1 : 0);
  };

  /* Returns the entries of an error with these first words, or else those whose exception has this name, or one
     that begins with it. */
  const entriesOf = (index, query) => {
    const [name] = query.toLowerCase().match(/\b(wes[a-z]{2,}|[a-z]{3,}timeout\b)/) || [];
    const letters = new Map(entries.map((entry) => [entry, lettersOf(entry.title, query)]));
    const byWords = entries.filter((entry) => letters.get(entry));
    const isOf = ({ title, text }) => name && ` ${title} ${text}`.toLowerCase().includes(` ${name}`);
    return (byWords.length ? byWords : entries.filter(isOf))
      .sort((one, other) => letters.get(other) - letters.get(one))
      .map(({ page, anchor, title, text }) => ({ page: index.docnames.indexOf(page), anchor, title, excerpt: text }));
  };

  /* Whether the words are a page's title, or what is before its colon: "Emulator: run your DAGs". */
  const isTitle = (title, words) =>
    [title, title.split(":")[0]].some((text) => wordsOf(text).join(" ") === words.join(" "));

  const isHit = (text, words) => words.some((word) => isSameWord(text.toLowerCase(), word));

  const countHits = (text, words) =>
    words.filter((word) => wordsOfHeading(text).some((one) => isSameWord(one, word))).length;

  const sentencesOf = (text) => text.replace(/([^.][.?!]) /g, "$1\n").split("\n");

  /* Returns the first sentence of a section whose title has all words. Else it is the sentence that has most
     of them, there or on its page; of two with as many, the first one without code, and without a colon at its end. */
  const excerptOf = (page, anchor, title, words, size) => {
    const sections = texts[page] || {};
    const text = (anchor ? sections[anchor] : Object.values(sections)[0]) || "";
    if (text && countHits(title, words) === words.length) return shortened(sentencesOf(text)[0], words, size);
    const points = (sentence) => 2 * countHits(sentence, words) - (/\(\)|>>|=|:$/.test(sentence) ? 1 : 0);
    const isThere = sentencesOf(text).some((sentence) => countHits(sentence, words));
    const sentences = isThere ? sentencesOf(text) : [text, ...Object.values(sections)].flatMap(sentencesOf);
    const all = sentences.map(points);
    return shortened(sentences[all.indexOf(Math.max(...all))], words, size);
  };

  /* Returns a sentence's words around the first hit. */
  const shortened = (sentence, words, size) => {
    if (sentence.length <= size.longest) return sentence;
    const parts = sentence.split(" ");
    const first = parts.findIndex((part) => wordsOf(part).some((one) => isHit(one, words)));
    let start = Math.max(first, 0);
    while (start > 0 && parts.slice(start - 1, first).join(" ").length < size.before) start -= 1;
    let end = start + 1;
    while (end < parts.length && parts.slice(start, end + 1).join(" ").length < size.longest) end += 1;
    return [start ? "…" : "", ...parts.slice(start, end), end < parts.length ? "…" : ""].join(" ").trim();
  };

  /* Returns the best results, and the words that were looked for instead of unknown ones. */
  const search = (index, query, most = MOST, size = EXCERPT) => {
    const typed = wordsOf(query);
    const isCode = /[a-z0-9][A-Z]|\w[_.]\w/.test(query);
    const found = isCode ? namesOfCode(index, query) : [];
    const important = importantOf(typed);
    const words = important.map((word) => closest(index, word));
    scoresOf(index, words, typed).forEach(({ points, section }, page) => {
      if (!points.every(Boolean)) return;
      const later = !isCode && REFERENCE.test(index.docnames[page]) ? LATER : 0;
      const { title, anchor, phrase } = section;
      found.push({ page, title, anchor, phrase, points: sum(points) + section.points - later });
    });
    // First the page of that title, then what has all words one after the other; last what is for contributors.
    const rank = ({ page, phrase }) => {
      if (isTitle(index.titles[page], typed)) return 3;
      if (FOR_CONTRIBUTORS.test(index.docnames[page])) return 0;
      return phrase ? 2 : 1;
    };
    found.sort((one, other) => rank(other) - rank(one) || other.points - one.points);
    found.unshift(...entriesOf(index, query).slice(0, MOST / 2));
    const results = found.slice(0, most).map(({ page, title, anchor, excerpt }) => ({
      address: `${index.docnames[page]}.html${anchor ? `#${anchor}` : ""}`,
      title,
      page: index.titles[page],
      excerpt: excerpt || excerptOf(index.docnames[page], anchor, title, words, size),
    }));
    return { results, words, instead: words.filter((word, number) => word !== important[number]) };
  };

  /* Shows the hits in bold. */
  const fill = (element, text, words) => {
    for (const part of text.split(/([\p{L}\p{N}_]+)/u)) {
      const isOne = /[\p{L}\p{N}_]/u.test(part) && isHit(part, words);
      element.append(isOne ? Object.assign(document.createElement("b"), { textContent: part }) : part);
    }
  };

  // -- the page of results, for which Sphinx loads the index

  const itemOf = ({ address, title, page, excerpt }, words) => {
    const item = document.createElement("li");
    const link = item.appendChild(document.createElement("a"));
    link.href = new URL(`../${address}`, here);
    link.textContent = title;
    if (title !== page) item.append(` (${page})`);
    if (excerpt) fill(item.appendChild(document.createElement("p")), excerpt, words);
    return item;
  };

  if (isPageOfResults) {
    Search.query = (query) =>
      loadTexts().then(() => {
        const { results, words, instead } = search(Search._index, query.trim(), Infinity, SUMMARY);
        Search.output.replaceChildren(...results.map((result) => itemOf(result, words)));
        Search.stopPulse();
        Search.title.textContent = instead.length ? `Results for ${instead.join(", ")}` : "Search Results";
        const pages = results.length === 1 ? "One result." : `${results.length} results.`;
        Search.status.textContent = results.length ? pages : "No page has all of these words.";
      });
    return;
  }

  // -- the list of results while one types

  const panel = form.appendChild(document.createElement("div"));
  panel.className = "search-panel";
  panel.hidden = true;
  const list = panel.appendChild(document.createElement("div"));
  list.id = "search-options";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Results");
  const status = panel.appendChild(document.createElement("p"));
  status.setAttribute("role", "status");

  field.setAttribute("role", "combobox");
  field.setAttribute("autocomplete", "off");
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", list.id);
  field.setAttribute("aria-expanded", "false");

  const options = () => [...list.children];
  const active = () => list.querySelector("[aria-selected=true]");

  const close = () => {
    panel.hidden = true;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  };

  const select = (option) => {
    options().forEach((one) => one.setAttribute("aria-selected", String(one === option)));
    field.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  };

  const optionOf = ({ address, title, page, excerpt }, number, words) => {
    const option = document.createElement("a");
    option.id = `search-option-${number}`;
    option.href = new URL(`../${address}`, here);
    option.tabIndex = -1;
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", "false");
    option.textContent = title;
    // Beside the title, which may say nothing alone: "Set these".
    if (title !== page) fill(option.appendChild(document.createElement("span")), ` · ${page}`, words);
    if (excerpt) fill(option.appendChild(document.createElement("small")), excerpt, words);
    return option;
  };

  const show = (index) => {
    const query = field.value.trim();
    if (query.length < SHORTEST) {
      close();
      return;
    }
    const { results, words, instead } = search(index, query);
    list.replaceChildren(...results.map((result, number) => optionOf(result, number, words)));
    const advice = instead.length ? `Results for ${instead.join(", ")}.` : "Enter shows all results.";
    status.textContent = results.length ? advice : "No page has all of these words.";
    field.removeAttribute("aria-activedescendant");
    field.setAttribute("aria-expanded", String(results.length > 0));
    panel.hidden = false;
  };

  // -- keys and the mouse

  const move = (step) => {
    const all = options();
    const position = all.indexOf(active());
    const first = step > 0 ? 0 : all.length - 1;
    select(position < 0 ? all[first] : all[(position + step + all.length) % all.length]);
  };

  field.addEventListener("focus", () => loadOnce().catch(close));
  field.addEventListener("input", () => loadOnce().then(show).catch(close));
  field.addEventListener("keydown", (event) => {
    if (panel.hidden) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && list.children.length) {
      move(step);
    } else if (event.key === "Enter" && active()) {
      active().click();
      close();
    } else if (event.key === "Escape") {
      close();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  panel.addEventListener("mousedown", (event) => event.preventDefault()); // keeps the focus
  form.addEventListener("focusout", (event) => {
    if (!form.contains(event.relatedTarget)) close();
  });

  // On a telephone, the field is in the drawer: the header has a button that opens it.
  const button = document.querySelector(".search-button");
  if (button) {
    button.addEventListener("click", () => {
      document.getElementById("__navigation").checked = true;
      field.focus();
    });
  }
})();
