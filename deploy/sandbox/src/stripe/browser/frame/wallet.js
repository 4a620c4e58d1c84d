// The wallet's window, and the answer to which wallet this browser has.

import { walletOfThisBrowser } from "./device.js";

const asked = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const byId = (id) => document.getElementById(id);
const say = (message) => parent.postMessage(message, asked.origin);
const PAYER = { name: "Ada Quiet", email: "ada@wallet.example" };

function lock(isLocked) {
  for (const id of ["card", "pay", "cancel"]) byId(id).disabled = isLocked;
}

async function createPaymentMethod() {
  const form = new URLSearchParams({ type: "card", "card[token]": byId("card").value, key: asked.key });
  if (asked.payerName) form.append("billing_details[name]", PAYER.name);
  if (asked.payerEmail) form.append("billing_details[email]", PAYER.email);
  const response = await fetch(new URL("../v1/payment_methods", location.href), { method: "POST", body: form });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error.message);
  return body;
}

async function agree() {
  lock(true);
  byId("status").textContent = "One moment…";
  try {
    const paymentMethod = await createPaymentMethod();
    const payer = { payerName: asked.payerName && PAYER.name, payerEmail: asked.payerEmail && PAYER.email };
    say({ type: "agreed", answer: { paymentMethod, ...payer } });
  } catch (error) {
    byId("status").textContent = `That did not work: ${error.message}`;
    lock(false);
  }
}

function price({ amount, currency }) {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.format(Number(amount) / 10 ** format.resolvedOptions().maximumFractionDigits);
}

if (asked.asks === "wallet") {
  say({ type: "wallet", wallet: walletOfThisBrowser() });
} else {
  byId("wallet").textContent = asked.wallet;
  byId("label").textContent = asked.label;
  byId("total").textContent = price(asked);
  byId("pay").addEventListener("click", agree);
  byId("cancel").addEventListener("click", () => say({ type: "cancelled" }));
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && !byId("cancel").disabled) say({ type: "cancelled" });
  });
  say({ type: "dialogReady" });
  byId("pay").focus();
}
