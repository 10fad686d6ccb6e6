/* Of pages that have all words of a query, the search puts those first that have them in the title. */
"use strict";

var Scorer = {
  score: ([, title, , , score]) => {
    const query = new URLSearchParams(window.location.search).get("q") || "";
    const words = query.toLowerCase().split(/\W+/).filter(Boolean);
    const inTitle = words.filter((word) => title.toLowerCase().includes(word));
    return score + 10 * inTitle.length;
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
