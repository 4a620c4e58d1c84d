// YooKassa's page: the buyer pays with a test card; the widget around it receives the outcome.

import { asked, byId, get, lock, post, sendToOpener } from "/sandbox/windows/page.js";

const endpoint = `/sandbox/yookassa/payments/${encodeURIComponent(asked.token ?? asked.orderId)}`;
const forms = ["card", "bank", "cancel"].map(byId);
const status = byId("status");
const POLL_MS = 500;
let returnUrl = null;

function show(...shown) {
  for (const form of forms) form.hidden = !shown.includes(form.id);
}

function leave(type) {
  show();
  if (!sendToOpener({ type }) && returnUrl) location.assign(returnUrl);
}

function cardGiven() {
  const form = new FormData(byId("card"));
  const [month, year] = form.get("expiry").split("/");
  return { number: form.get("number"), month, year: `20${year}`, after_secs: Number(form.get("after")) };
}

function follow({ outcome, reason }) {
  if (outcome === "requires_authentication") {
    show("bank", "cancel");
    byId("bank").querySelector("button").focus();
    return;
  }
  if (outcome === "declined") {
    status.textContent = `The payment was refused: ${reason.replaceAll("_", " ")}.`;
    if (returnUrl) return leave("fail");
    show("card", "cancel");
    byId("number").focus();
    return;
  }
  if (outcome === "pending" && !returnUrl) return waitForBank();
  status.textContent = outcome === "failed" ? "Not paid." : "Done.";
  leave(outcome === "failed" ? "fail" : "success");
}

async function waitForBank() {
  show();
  status.textContent = "The bank takes its time.";
  const { status: reached } = await get(endpoint);
  if (reached === "pending") setTimeout(waitForBank, POLL_MS);
  else follow({ outcome: reached === "canceled" ? "failed" : "paid" });
}

async function act(action) {
  lock(true);
  status.textContent = "One moment…";
  try {
    const outcome = await post(endpoint, action);
    status.textContent = "";
    lock(false);
    follow(outcome);
  } catch (error) {
    status.textContent = `That did not work: ${error.message}`;
    lock(false);
  }
}

byId("card").addEventListener("submit", (event) => {
  event.preventDefault();
  act({ pay: cardGiven() });
});
byId("bank").addEventListener("submit", (event) => {
  event.preventDefault();
  act({ pay: { ...cardGiven(), three_d_secure: event.submitter.value } });
});
byId("cancel").addEventListener("click", () => act("abandon"));

try {
  const payment = await get(endpoint);
  returnUrl = payment.return_url;
  byId("terms").textContent = `${payment.description ?? "A payment"}: ${payment.amount.value} ${payment.amount.currency}`;
  if (payment.status === "pending") {
    show("card", "cancel");
    sendToOpener({ type: "ready" });
  } else {
    status.textContent = "This payment is over.";
    sendToOpener({ type: "error", answer: "token_expired" });
  }
} catch (error) {
  byId("terms").textContent = error.message;
  sendToOpener({ type: "error", answer: "invalid_token" });
}
