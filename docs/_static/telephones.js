/* On a telephone, the parameters of operators are folded: each list of them is several screens long. */
"use strict";

if (window.matchMedia("(max-width: 46em)").matches) {
  for (const parameters of document.querySelectorAll("details.parameters")) parameters.open = false;
}
