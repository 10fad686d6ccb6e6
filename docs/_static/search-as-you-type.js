/* Shows results below the search field while one types, from the index that Sphinx builds. If it cannot be
   had, and on the page of results, Enter searches as without this file. */
"use strict";

(() => {
  const MOST = 8; // results
  const SHORTEST = 2; // letters of a query
  const MARKED = "sphinx_highlight_terms"; // what Sphinx marks on the next page

  // Points for a word that a heading is, begins a word of it, or is within one; and for one in the text.
  const HEADING = { whole: 15, beginning: 10, within: 4 };
  const TEXT = 3;
  const REFERENCE = /reference|^api$|architecture|contract|decisions|benchmarks|promises/;
  const LATER = 8; // points that a page of reference has less, unless one looks for a name of code
  const NAME = 30; // points for a name of code

  const here = document.currentScript.src;
  const form = document.querySelector(".sidebar-search-container");
  const field = form && form.querySelector("input[name=q]");
  const isPageOfResults = Boolean(document.getElementById("search-results"));
  if (!field || isPageOfResults) return;

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

  // -- the search

  // searchindex.js calls this function with the index.
  const loadIndex = () =>
    new Promise((resolve, reject) => {
      window.Search = { setIndex: resolve };
      const script = document.createElement("script");
      script.src = new URL("../searchindex.js", here);
      script.onerror = reject;
      document.head.appendChild(script);
    });

  let loading = null;

  const loadOnce = () => {
    loading = loading || loadIndex();
    return loading;
  };

  const pointsOf = (heading, word) => {
    const text = heading.toLowerCase();
    if (text === word) return HEADING.whole;
    if (` ${text}`.includes(` ${word}`)) return HEADING.beginning;
    return text.includes(word) ? HEADING.within : 0;
  };

  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

  // The index has stems of words: "uploads" is there as "upload".
  const isSameWord = (term, word) =>
    term.startsWith(word) || (term.length > 2 && word.startsWith(term) && word.length - term.length < 4);

  /* Returns, for each page, the points of each word, and its best heading. */
  const scoresOf = (index, words) => {
    const scores = index.docnames.map((_, page) => ({
      points: words.map(() => 0),
      heading: { title: index.titles[page], anchor: "", points: 0 },
    }));
    const note = (page, number, points) => {
      scores[page].points[number] = Math.max(scores[page].points[number], points);
    };
    for (const [title, places] of Object.entries(index.alltitles)) {
      const points = words.map((word) => pointsOf(title, word));
      for (const [page, anchor] of places) {
        points.forEach((each, number) => note(page, number, each));
        if (sum(points) > scores[page].heading.points) {
          scores[page].heading = { title, anchor, points: sum(points) };
        }
      }
    }
    for (const [entry, places] of Object.entries(index.indexentries)) {
      words.forEach((word, number) => places.forEach(([page]) => note(page, number, pointsOf(entry, word))));
    }
    for (const [term, pages] of Object.entries({ ...index.terms, ...index.titleterms })) {
      words.forEach((word, number) => {
        if (isSameWord(term.toLowerCase(), word)) [pages].flat().forEach((page) => note(page, number, TEXT));
      });
    }
    return scores;
  };

  const namesOfCode = (index, query) => {
    const names = [];
    for (const [prefix, members] of Object.entries(index.objects)) {
      for (const [page, , , anchor, name] of members) {
        const title = `${prefix}.${name}`;
        if (title.toLowerCase().includes(query.toLowerCase())) {
          names.push({ page, title, anchor: anchor || title, matched: 1, points: NAME });
        }
      }
    }
    return names;
  };

  const search = (index, query) => {
    const words = query.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
    const isCode = /[a-z0-9][A-Z]|\w[_.]\w/.test(query);
    const found = isCode ? namesOfCode(index, query) : [];
    scoresOf(index, words).forEach(({ points, heading }, page) => {
      const matched = points.filter(Boolean).length;
      if (!matched) return;
      const later = !isCode && REFERENCE.test(index.docnames[page]) ? LATER : 0;
      found.push({ ...heading, page, matched, points: sum(points) + heading.points - later });
    });
    // A page with all words comes before one with some.
    found.sort((one, other) => other.matched - one.matched || other.points - one.points);
    return found.slice(0, MOST).map(({ page, title, anchor }) => ({
      address: `${index.docnames[page]}.html${anchor ? `#${anchor}` : ""}`,
      title,
      page: index.titles[page],
    }));
  };

  // -- the list of results

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

  const optionOf = ({ address, title, page }, number) => {
    const option = document.createElement("a");
    option.id = `search-option-${number}`;
    option.href = new URL(`../${address}`, here);
    option.tabIndex = -1;
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", "false");
    option.textContent = title;
    if (title !== page) {
      option.appendChild(document.createElement("small")).textContent = page;
    }
    return option;
  };

  const show = (index) => {
    const query = field.value.trim();
    if (query.length < SHORTEST) {
      close();
      return;
    }
    const results = search(index, query);
    list.replaceChildren(...results.map(optionOf));
    status.textContent = results.length ? "Enter shows all results." : "Nothing found.";
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

  // Sphinx marks the words of a search on the page of a result, and is to mark them on no other page.
  window.addEventListener("pagehide", () => localStorage.removeItem(MARKED));
})();
