// Platron's page: somebody pays, the merchant is asked and told, and the buyer goes back to the shop.

import { asked, byId, get, lock, post } from "/sandbox/windows/page.js";

const POLL_MS = 200;
const door = `/sandbox/platron/payments/${encodeURIComponent(asked.customer)}`;
const status = byId("status");

function show(payment) {
  byId("terms").textContent = `${payment.description}: ${payment.amount} ${payment.currency}`;
  byId("payment").hidden = payment.status !== "partial";
  if (payment.site) {
    byId("leave").href = payment.site;
    byId("leave").hidden = false;
  }
  if (payment.objection) status.textContent = payment.objection;
}

// Until there is nothing more to wait for.
async function follow() {
  const payment = await get(door);
  show(payment);
  if (payment.redirect) location.assign(payment.redirect);
  else if (payment.is_done) status.textContent = payment.objection ?? "Done. You can close this page.";
  else if (payment.status === "partial") lock(false);
  else if (payment.is_with_bank) status.textContent = "The bank takes its time. You can close this page.";
  else setTimeout(follow, POLL_MS);
}

async function act(deed) {
  lock(true);
  status.textContent = "One moment…";
  try {
    await post(door, deed);
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
  const payment = await get(door);
  for (const { code, about } of payment.refusals) {
    const option = new Option(`${about} (${code})`, code);
    option.dataset.fails = "yes";
    byId("outcome").append(option);
  }
  show(payment);
  if (payment.status !== "partial") status.textContent = "This payment waits for nobody any more.";
} catch (error) {
  byId("terms").textContent = error.message;
}
