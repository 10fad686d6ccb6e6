/* Shows results below the search field while one types. The index and the order of results are those of
   Sphinx's own search. If they cannot be had, Enter goes to the page of results, as without this file. */
"use strict";

(() => {
  const MOST = 8; // results
  const SHORTEST = 2; // letters of a query
  const MARKED = "sphinx_highlight_terms"; // what Sphinx marks on the next page

  const here = document.currentScript.src;
  const form = document.querySelector(".sidebar-search-container");
  const field = form && form.querySelector("input[name=q]");
  if (!field) return;

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

  // -- Sphinx's search

  let loading = null;
  let typed = "";

  const load = (path) =>
    new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL(path, here);
      script.onload = resolve;
      script.onerror = reject;
      document.head.appendChild(script);
    });

  const loadSearch = async () => {
    if (typeof Search !== "undefined") return; // on the page of results
    await load("searchtools.js");
    field.value = typed; // Sphinx has put the query of the page's address there
    await load("language_data.js");
    await load("../searchindex.js");
  };

  const loadOnce = () => {
    typed = field.value;
    loading = loading || loadSearch();
    return loading;
  };

  const search = (query) => {
    Scorer.query = query;
    const found = Search._performSearch(...Search._parseQuery(query)).reverse();
    localStorage.removeItem(MARKED);
    const results = new Map();
    for (const [page, title, anchor] of found) {
      const address = page + DOCUMENTATION_OPTIONS.LINK_SUFFIX + (anchor || "");
      // An entry of the index has its page's title, so it stands for the page.
      const place = address.replace(/#index-\d+$/, "");
      if (!results.has(place)) results.set(place, { address, title });
      if (results.size === MOST) break;
    }
    return [...results.values()];
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

  const optionOf = ({ address, title }, number) => {
    const option = document.createElement("a");
    option.id = `search-option-${number}`;
    option.href = new URL(`../${address}`, here);
    option.tabIndex = -1;
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", "false");
    // Of "page > section", the section is what one looks for.
    const [page, section] = title.split(" > ");
    option.textContent = section || page;
    if (section) {
      option.appendChild(document.createElement("small")).textContent = page;
    }
    return option;
  };

  const show = () => {
    const query = field.value.trim();
    if (query.length < SHORTEST) {
      close();
      return;
    }
    const results = search(query);
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

  // Sphinx marks the words of a search on the page of a result, and on no other page.
  let isResult = false;
  document.addEventListener("click", (event) => {
    isResult = Boolean(event.target.closest("#search-results a"));
  });
  window.addEventListener("pagehide", () => {
    if (!isResult) localStorage.removeItem(MARKED);
  });
})();
