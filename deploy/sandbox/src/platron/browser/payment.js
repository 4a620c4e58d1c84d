// Platron's page: the buyer pays, fails or cancels, and returns to the shop once the result call is done.

import { asked, byId, get, lock, post } from "/sandbox/windows/page.js";

const POLL_MS = 200;
const endpoint = `/sandbox/platron/payments/${encodeURIComponent(asked.customer)}`;
const status = byId("status");

function show(payment) {
  byId("terms").textContent = `${payment.description}: ${payment.amount} ${payment.currency}`;
  byId("payment").hidden = payment.status !== "partial";
  if (payment.site) {
    byId("leave").href = payment.site;
    byId("leave").hidden = false;
  }
  if (payment.merchant_message) status.textContent = payment.merchant_message;
}

// Polls until the payment ends.
async function follow() {
  const payment = await get(endpoint);
  show(payment);
  if (payment.redirect) location.assign(payment.redirect);
  else if (payment.is_done) status.textContent = payment.merchant_message ?? "Done. You can close this page.";
  else if (payment.status === "partial") lock(false);
  else if (payment.is_at_bank) status.textContent = "The bank takes its time. You can close this page.";
  else setTimeout(follow, POLL_MS);
}

async function act(action) {
  lock(true);
  status.textContent = "One moment…";
  try {
    await post(endpoint, action);
    await follow();
  } catch (error) {
    status.textContent = `That did not work: ${error.message}`;
    lock(false);
  }
}

byId("payment").addEventListener("submit", (event) => {
  event.preventDefault();
  const chosen = byId("outcome").selectedOptions[0];
  const number = Number(chosen.value);
  act(chosen.dataset.fails ? { fail: { code: number } } : { pay: { after_secs: number } });
});
byId("cancel").addEventListener("click", () => act("cancel"));

try {
  const payment = await get(endpoint);
  for (const { code, about } of payment.failures) {
    const option = new Option(`${about} (${code})`, code);
    option.dataset.fails = "yes";
    byId("outcome").append(option);
  }
  show(payment);
  if (payment.status !== "partial") status.textContent = "This payment is over.";
} catch (error) {
  byId("terms").textContent = error.message;
}
