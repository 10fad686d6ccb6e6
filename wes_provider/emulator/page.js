"use strict";
// The live page: it shows the states that "events" sends, and posts what the buttons say. Text goes in as text, never as HTML.

const $ = (id) => document.getElementById(id);
const kept = 200; // requests shown
let state = null; // the last one received
let readAt = 0; // when, by this page's clock, in seconds

function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function now() {
  return state.clock.now + (performance.now() / 1000 - readAt) * state.clock.speed;
}

function clockTime(seconds, long) {
  const text = new Date(seconds * 1000).toISOString();
  return long ? text.slice(0, 10) + " " + text.slice(11, 19) + " UTC" : text.slice(11, 19);
}

function duration(seconds) {
  const left = Math.max(0, Math.ceil(seconds));
  if (left < 120) return `${left}\u00a0s`;
  if (left < 7200) return `${Math.round(left / 60)}\u00a0min`;
  return `${Math.round(left / 3600)}\u00a0h`;
}

function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

function ofWorkspace(one) {
  return one.workspace ? ` (workspace ${one.workspace})` : "";
}

function meter(share) {
  const bar = element("i");
  bar.style.width = `${Math.round(100 * Math.min(1, Math.max(0, share)))}%`;
  return element("div", "meter", bar);
}

// -- lists ---------------------------------------------------------------------------------------

function fileRow(file) {
  const share = file.phase !== "waiting" ? 1 : file.due_at === null ? 0 : (now() - file.accepted_at) / Math.max(0.001, file.due_at - file.accepted_at);
  let note = `uploaded ${clockTime(file.accepted_at)}`;
  if (file.phase === "done") note = `${count(file.added, "coupon")} added, ${count(file.duplicate, "duplicate")}`;
  if (file.phase === "failed") note = file.error;
  if (file.phase === "waiting") note += file.due_at === null ? ", does not end" : now() < file.due_at ? `, ends in ${duration(file.due_at - now())}` : ", is being fetched";
  const bar = meter(file.phase === "waiting" ? Math.min(0.98, share) : share);
  bar.setAttribute("role", "progressbar");
  bar.setAttribute("aria-label", `Progress of ${file.file}`);
  bar.setAttribute("aria-valuenow", Math.round(100 * Math.min(1, share)));
  const name = element("span", "name", file.file);
  if (file.name !== file.file) name.append(element("small", "note", ` ${file.name}`));
  name.append(element("small", "note", ` ${file.id}`)); // "A person decides" asks for it
  name.title = file.file_url;
  return element("div", `file ${file.phase}`, name, bar, element("span", "status", file.status), element("span", "note", note));
}

function windowName(seconds) {
  return { 60: "minute", 3600: "hour", 86400: "day" }[seconds] || duration(seconds);
}

function windowBox(one, noun) {
  const used = one.limit - one.remaining;
  const full = one.remaining === 0;
  const text = full ? `${used} of ${one.limit} ${noun} this ${windowName(one.seconds)}: full, opens in ${duration(one.reset - now())}`
    : `${used} of ${one.limit} ${noun} this ${windowName(one.seconds)}`;
  return element("div", full ? "window full" : "window", text, meter(used / Math.max(1, one.limit)));
}

function nextUpload(list) {
  const full = list.windows.filter((one) => one.remaining === 0).sort((a, b) => b.reset - a.reset)[0];
  if (!full) return null;
  return element("p", "next", `The next upload waits: this ${windowName(full.seconds)} has had its ${count(full.limit, "upload")}. `
    + `The service accepts another one at ${clockTime(full.reset)}, in ${duration(full.reset - now())}. A client that keeps to the limit sends nothing until then.`);
}

// Each list is one element for as long as it is shown, so that a click or the focus on it is not lost when it changes.
const cards = new Map(); // by workspace and list
const chosen = new Map(); // whether somebody has opened or closed it

function makeCard(key) {
  const summary = element("summary", "head");
  const body = element("div");
  const card = element("details", "card", summary, body);
  summary.addEventListener("click", () => chosen.set(key, !card.open));
  return { card, summary, body };
}

function listState(list) {
  const waiting = list.files.filter((file) => file.phase === "waiting").length;
  const failed = list.files.filter((file) => file.phase === "failed").length;
  const full = list.windows.some((one) => one.remaining === 0);
  return [waiting ? `${waiting} in progress` : "", failed ? `${failed} failed` : "", full ? "limit reached" : ""].filter(Boolean).join(", ");
}

function fillCard(made, list) {
  const stock = list.issued ? `${count(list.stock, "coupon")} in stock, ${list.issued.toLocaleString("en")} issued` : `${count(list.stock, "coupon")} in stock`;
  const title = element("h3", "", `${list.id}${ofWorkspace(list)}`);
  const head = [title, element("span", "stock", `${stock} · ${count(list.files_total, "file")}`), element("span", "state", listState(list))];
  if (head.map((part) => part.textContent).join("") !== made.summary.textContent) made.summary.replaceChildren(...head);
  if (!made.card.open) return;
  const parts = [element("div", "windows", ...list.windows.map((one) => windowBox(one, "uploads")))];
  const hidden = list.files_total - list.files.length;
  if (hidden) parts.push(element("p", "note", `${count(hidden, "earlier file")} not shown.`));
  parts.push(...list.files.map(fileRow));
  const waits = nextUpload(list);
  if (waits) parts.push(waits);
  made.body.replaceChildren(...parts);
}

function drawLists() {
  const shown = state.lists.map((list, index) => {
    const key = JSON.stringify([list.workspace, list.id]);
    if (!cards.has(key)) cards.set(key, makeCard(key));
    const made = cards.get(key);
    // The list of the newest upload is open, and what somebody has opened.
    made.card.open = chosen.has(key) ? chosen.get(key) : index === 0;
    fillCard(made, list);
    return made.card;
  });
  const more = state.lists_total - state.lists.length;
  if (more) shown.push(element("p", "note", `${more} more lists not shown.`));
  if (!shown.length) shown.push(element("p", "empty", "No list yet. A list exists as soon as a file is uploaded to it."));
  const present = $("lists").children;
  if (more || shown.length !== present.length || shown.some((one, index) => one !== present[index])) $("lists").replaceChildren(...shown);
}

function draw() {
  if (state === null) return;
  $("clock").textContent = clockTime(now(), true);
  const speed = state.clock.speed;
  $("speed").textContent = speed === 0 ? "stopped" : speed === 1 ? "" : `${speed}× as fast`;
  drawLists();
}

function drawRest() {
  $("counts").textContent = Object.entries(state.counts)
    .map(([name, number]) => `${name || "no operation (wrong path or method)"} ${number}`).join(" · ");
  $("faults").textContent = state.faults.map((one) => `Queued: ${one.operation}: ${one.fault}${one.times === null ? ", every time" : one.times > 1 ? `, ${one.times} times` : ""}.`).join(" ");
  const others = [
    ...state.windows.map((one) => windowBox(one, one.operation.replace("create_catalog", "catalogs"))),
    ...state.catalogs.map((one) => element("p", "", `Catalog ${one.name}${ofWorkspace(one)}: ${one.price_currency}, ${count(one.attributes, "attribute")}`)),
    ...state.segments.map((one) => element("p", "", `Segment ${one.id} ${one.name}${ofWorkspace(one)}: ${count(one.filters, "filter")}, updated ${one.updated_at}`)),
  ];
  $("others").replaceChildren(...(others.length ? others : [element("p", "empty", "None yet.")]));
  $("callbacks").replaceChildren(...(state.callbacks.length
    ? state.callbacks.map((one) => element("p", "", `${one.coupon_file_id} to ${one.host}: ${one.outcome}`))
    : [element("p", "empty", "None yet.")]));
  const pairs = Object.entries(state.connection).flatMap(([name, value]) => [element("dt", "", name), element("dd", "", value)]);
  $("connection").replaceChildren(...pairs);
  const chosen = $("snapshots").value;
  $("snapshots").replaceChildren(...state.snapshots.map((name) => element("option", "", name)));
  if (state.snapshots.includes(chosen)) $("snapshots").value = chosen;
  $("restore").disabled = $("snapshots").disabled = state.snapshots.length === 0;
  if (document.activeElement !== $("speeds")) $("speeds").value = String(state.clock.speed);
}

// -- requests --------------------------------------------------------------------------------------

const refusals = { 400: "malformed", 401: "wrong or missing credentials", 403: "no access", 404: "there is no such thing", 405: "wrong method",
  409: "it conflicts with what is there", 413: "too large", 429: "the limit is reached" };

function requestRow(one) {
  const kind = one.test ? "good" : one.status === null || one.status >= 500 ? "bad" : one.status === 429 ? "held" : one.status >= 400 ? "bad" : "good";
  const what = element("span", "what", one.operation || one.method, " ", element("small", "note", one.about));
  const said = one.test ? "by the Test button: its identifier is made up" : one.fault ? "" : refusals[one.status] || "";
  if (said) what.append(" ", element("small", "note", `(${said})`));
  if (one.fault) what.append(" ", element("span", "fault", one.fault));
  const button = element("button", "", element("time", "", clockTime(one.time)), element("span", "code", one.status === null ? "lost" : String(one.status)), what);
  button.setAttribute("aria-expanded", "false");
  const row = element("li", one.operation === "get_coupon_file" || one.operation === "list_coupon_files" ? `${kind} read` : kind, button);
  button.addEventListener("click", async () => {
    if (row.querySelector("pre")) {
      row.querySelector("pre").remove();
      button.setAttribute("aria-expanded", "false");
      return;
    }
    const response = await fetch(`request?number=${one.number}`);
    const data = await response.json();
    const text = response.ok ? [`${data.method} ${data.path}`, ...data.headers.map(([name, value]) => `${name}: ${value}`), "", data.body].join("\n")
      : data.error.message;
    row.append(element("pre", "", text));
    button.setAttribute("aria-expanded", "true");
  });
  return row;
}

function addRequests(rows) {
  $("requests").prepend(...rows.map(requestRow).reverse());
  while ($("requests").children.length > kept) $("requests").lastChild.remove();
}

// -- events and controls -----------------------------------------------------------------------------

let events = null;

function connect() {
  events = new EventSource("events");
  events.addEventListener("open", () => {
    $("link").textContent = "live";
    $("requests").replaceChildren(); // they come again
  });
  events.addEventListener("error", () => { $("link").textContent = "not connected"; });
  events.addEventListener("requests", (event) => addRequests(JSON.parse(event.data)));
  events.addEventListener("state", (event) => {
    const received = JSON.parse(event.data);
    if (state === null || received.generation !== state.generation) $("requests").replaceChildren();
    state = received;
    readAt = performance.now() / 1000;
    draw();
    drawRest();
  });
}

connect();
// A browser that keeps the page for its "back" button would keep the connection, too, and it has only six.
addEventListener("pagehide", () => events.close());
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
setInterval(draw, 500);

async function control(action, given, said) {
  const response = await fetch(action, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given) });
  const data = await response.json();
  $("result").className = response.ok ? "wide" : "wide bad";
  $("result").textContent = response.ok ? said : data.error.message;
  return response.ok;
}

for (const button of document.querySelectorAll("button[data-action]")) {
  button.addEventListener("click", () => control(button.dataset.action, JSON.parse(button.dataset.arguments), `${button.textContent}: done.`));
}
$("speeds").addEventListener("change", () => control("clock", { speed: Number($("speeds").value) }, "The clock has another speed."));
$("fail").addEventListener("click", () => control("fail", { operation: "upload_coupon_file", fault: JSON.parse($("fault").value) },
  `The next upload ${$("fault").selectedOptions[0].textContent}.`));
$("reset").addEventListener("click", () => {
  if (confirm("Reset the emulator? Its lists, catalogs, segments and requests are deleted.")) control("reset", {}, "Reset.");
});
$("snapshot").addEventListener("click", () => {
  const name = prompt("Name of the snapshot:", `snapshot-${state.snapshots.length + 1}`);
  if (name) control("snapshot", { name }, `Snapshot ${name} is kept.`);
});
$("restore").addEventListener("click", () => {
  if ($("snapshots").value) control("restore", { name: $("snapshots").value }, `Restored ${$("snapshots").value}.`);
});
$("copy").addEventListener("click", async () => {
  const { environment } = await (await fetch("connection")).json();
  let said = "The connection is in the clipboard.";
  try {
    await navigator.clipboard.writeText(environment);
  } catch { // the browser allows it not, or not at this address
    $("environment").textContent = environment;
    getSelection().selectAllChildren($("environment"));
    said = "The browser does not let this page write to the clipboard: copy the line below the button.";
  }
  $("copied").textContent = said;
});
