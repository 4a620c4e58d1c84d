// PayPal's page: the buyer approves or cancels; the page that opened the window receives the result.

import { asked, byId, get, lock, post, sendToOpener } from "/sandbox/windows/page.js";

const subscription = asked.ba_token ?? asked.subscription_id;
const endpoint = `/sandbox/paypal/approvals/${encodeURIComponent(subscription)}`;
const status = byId("status");

async function decide(decision, type) {
  lock(true);
  status.textContent = "One moment…";
  try {
    const answer = await post(endpoint, decision);
    status.textContent = "Done. You can close this window.";
    if (!sendToOpener({ type, answer }) && answer.redirect) location.assign(answer.redirect);
  } catch (error) {
    status.textContent = `That did not work: ${error.message}`;
    lock(false);
  }
}

const price = ({ price: value, every, times }, currency) => `${value} ${currency} each ${every}${times ? `, ${times} times` : ""}`;

byId("approval").addEventListener("submit", (event) => {
  event.preventDefault();
  decide({ approve: byId("buyer").value }, "approved");
});
byId("cancel").addEventListener("click", () => (subscription ? decide("cancel", "cancelled") : sendToOpener({ type: "cancelled" })));
byId("fail").addEventListener("click", () => sendToOpener({ type: "failed" }));

// Without a subscription the window waits until the page that opened it has created one.
if (subscription) {
  try {
    const { brand, currency, cycles, buyers } = await get(endpoint);
    byId("terms").textContent = `${brand ?? "The shop"}: ${cycles.map((cycle) => price(cycle, currency)).join(", then ")}`;
    byId("buyer").replaceChildren(...buyers.map(({ id, email, about }) => new Option(`${email} (${about})`, id)));
    byId("approval").hidden = false;
  } catch (error) {
    byId("terms").textContent = error.message;
  }
}
