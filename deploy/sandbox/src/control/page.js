// Fills the sandbox's page and keeps it fresh.

import { giveThisBrowser, walletOfThisBrowser } from "/stripe/js/device.js";

const get = async (path) => (await fetch(path)).json();
const byId = (id) => document.getElementById(id);

function row(cells) {
  const line = document.createElement("tr");
  for (const cell of cells) {
    const data = document.createElement("td");
    const code = document.createElement("code");
    code.textContent = cell ?? "";
    data.append(code);
    line.append(data);
  }
  return line;
}

const fill = (id, rows) => byId(id).replaceChildren(...rows.map(row));
const target = ({ method, path, event }) => event ?? `${method ?? "any"} ${path ?? "any path"}`;

function answerOf({ status, replayed, faults }) {
  const result = status === null ? "connection cut" : String(status);
  return [result, replayed && "replayed", ...faults.map((fault) => fault.type)].filter(Boolean).join(", ");
}

async function refresh() {
  const [clock, overview, webhooks, faults, requests] = await Promise.all([
    get("/sandbox/clock"),
    get("/sandbox/overview"),
    get("/sandbox/webhooks"),
    get("/sandbox/faults"),
    get("/sandbox/requests?limit=40"),
  ]);
  byId("now").textContent = clock.now;
  byId("offset").textContent = clock.offset_ms ? `${Math.round(clock.offset_ms / 3_600_000)} hours ahead` : "";
  fill("objects", overview.kinds.map(({ kind, count, newest }) => [kind, count, newest.map(({ id, about }) => (about ? `${id} (${about})` : id)).join("  ")]));
  fill("webhooks", webhooks.slice(0, 20).map(({ event_type, state, attempts, last_response }) => [event_type, JSON.stringify(state).replaceAll('"', ""), attempts, last_response]));
  fill("faults", faults.map((fault) => [target(fault.match), JSON.stringify(fault.action), `${fault.calls_matched} / ${fault.calls_affected}`]));
  fill("requests", requests.map((request) => [request.at, `${request.method} ${request.path}`, answerOf(request), JSON.stringify(request.params)]));
}

async function send(path, method, body) {
  const headers = body ? { "content-type": "application/json" } : {};
  const response = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  byId("trouble").textContent = response.ok ? "" : (await response.json()).detail;
  await refresh();
}

for (const button of document.querySelectorAll("[data-advance]")) {
  button.addEventListener("click", () => send("/sandbox/clock", "POST", { advance_secs: Number(button.dataset.advance) }));
}
byId("wallet").value = walletOfThisBrowser();
byId("wallet").addEventListener("change", ({ target: { value } }) => giveThisBrowser(value));
byId("clear-faults").addEventListener("click", () => send("/sandbox/faults", "DELETE"));

await refresh();
setInterval(refresh, 2000);
