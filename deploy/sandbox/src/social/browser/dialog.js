// The provider's window: a person is chosen; the page that opened the window receives the response.

import { asked, byId, get, lock, post, sendToOpener } from "/sandbox/windows/page.js";

const provider = location.pathname.split("/")[1];
const names = { apple: "Apple", google: "Google", facebook: "Facebook" };
const status = byId("status");
const cases = byId("case");

async function choose(person) {
  lock(true);
  status.textContent = "One moment…";
  const { client_id, nonce, state } = asked;
  // Before the cases have loaded, the default case applies.
  const body = { provider, client_id, nonce, state, person, case: cases.value || undefined };
  try {
    const answer = await post("/sandbox/social/sign-ins", body);
    status.textContent = "Done. You can close this window.";
    sendToOpener({ type: "signedIn", answer });
  } catch (error) {
    status.textContent = `That did not work: ${error.message}`;
    lock(false);
  }
}

function personButton({ id, first_name, last_name, email, email_verified }) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.person = id;
  const about = document.createElement("small");
  about.textContent = email ? `${email}${email_verified ? "" : " (not verified)"}` : "no e-mail address";
  button.append(`${first_name} ${last_name}`, about);
  button.addEventListener("click", () => choose(id));
  item.append(button);
  return item;
}

byId("title").textContent = `Sign in with ${names[provider]}`;
document.title = `Sign in with ${names[provider]}`;
byId("cancel").addEventListener("click", () => sendToOpener({ type: "cancelled" }));
byId("other").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  choose({
    first_name: form.get("first_name"),
    last_name: form.get("last_name"),
    email: form.get("email") || null,
    email_verified: form.has("email_verified"),
  });
});

const [people, possible] = await Promise.all([get("/sandbox/social/people"), get(`/sandbox/social/cases?provider=${provider}`)]);
cases.replaceChildren(...possible.cases.map((name) => new Option(name.replaceAll("_", " "), name)));
byId("people").replaceChildren(...people.people.map(personButton));
