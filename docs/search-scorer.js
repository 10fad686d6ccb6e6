/* The search puts pages first that have the query's words in their title, guides before references,
   and last what is for contributors.
   Classes and arguments are last, unless the query is spelled as one is: WesHook, on_duplicate.
   The query is in the page's address. */
"use strict";

var Scorer = {
  score: ([page, title, , , score, , kind]) => {
    const query = new URLSearchParams(window.location.search).get("q") || "";
    const words = query.toLowerCase().split(/\W+/).filter(Boolean);
    const inTitle = words.filter((word) => title.toLowerCase().includes(word));
    const isPhrase = ` ${title.toLowerCase()} `.includes(` ${words.join(" ")} `);
    const isReference = /\b(reference|API)\b/i.test(title);
    const isForContributors = /^(leaves|architecture|benchmarks|dependencies|contribute)$/.test(page);
    const isWhole = [title, title.split(":")[0]].some((text) => text.toLowerCase() === words.join(" "));
    const isCode = /[a-z0-9][A-Z]|\w[_.]\w/.test(query);
    // What goes wrong is an entry or a section of this page.
    if (page === "red-task" && /\bWes\w+Error\b|\b(stuck|hangs|failed)\b/.test(query)) return score + 200;
    if (kind === "object") {
      return score + (isCode ? 100 : -100);
    }
    if (isForContributors && !isWhole) return score - 50;
    return score + 10 * inTitle.length + (isWhole ? 30 : 0) + (isPhrase ? 5 : 0) - (isReference ? 8 : 0);
  },

  // As Sphinx has them.
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
