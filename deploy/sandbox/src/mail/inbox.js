// Lists the mails, shows one, and looks for new ones.

const byId = (id) => document.getElementById(id);
let mails = [];
let chosen = null;
let view = "wide";

function line(text, className = "") {
  const span = document.createElement("span");
  span.textContent = text;
  span.className = className;
  return span;
}

function entry(mail) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(line(mail.subject), line(`${mail.to.join(", ")} · ${new Date(mail.received_at).toLocaleString()}`, "quiet"));
  button.setAttribute("aria-current", String(mail.id === chosen));
  button.addEventListener("click", () => choose(mail.id));
  const item = document.createElement("li");
  item.append(button);
  return item;
}

function choose(id) {
  chosen = id;
  byId("html").src = `/sandbox/mails/${id}/html`;
  show();
}

function show() {
  byId("mails").replaceChildren(...mails.map(entry));
  byId("none").hidden = mails.length > 0;
  const mail = mails.find(({ id }) => id === chosen);
  byId("mail").hidden = !mail;
  if (!mail) return;
  byId("subject").textContent = mail.subject;
  byId("people").textContent = `From ${mail.from} to ${mail.to.join(", ")}`;
  const isHtml = view === "wide" || view === "phone";
  byId("html").hidden = !isHtml;
  byId("html").className = view;
  byId("plain").hidden = isHtml;
  byId("plain").textContent = view === "text" ? mail.text : mail.headers.map(([name, value]) => `${name}: ${value}`).join("\n");
  for (const button of document.querySelectorAll("[data-view]")) {
    button.setAttribute("aria-pressed", String(button.dataset.view === view));
  }
}

async function refresh() {
  const latest = (await (await fetch("/sandbox/mails")).json()).mails;
  if (latest[0]?.id === mails[0]?.id && latest.length === mails.length) return;
  mails = latest;
  if (chosen === null && mails.length > 0) choose(mails[0].id);
  show();
}

for (const button of document.querySelectorAll("[data-view]")) {
  button.addEventListener("click", () => {
    view = button.dataset.view;
    show();
  });
}
byId("clear").addEventListener("click", async () => {
  await fetch("/sandbox/mails", { method: "DELETE" });
  chosen = null;
  await refresh();
});

await refresh();
setInterval(refresh, 1000);
