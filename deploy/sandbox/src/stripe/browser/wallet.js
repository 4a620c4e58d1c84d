// A payment request: the wallet of this browser, and its window.

const COMPLETE_WITHIN_MS = 30_000;
const WALLET_NAMES = { applePay: "Apple Pay", googlePay: "Google Pay", link: "Link" };

// The wallet is the browser's, not the shop's: it is kept where the sandbox's own page chooses it.
function walletOfThisBrowser() {
  return new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.hidden = true;
    frame.title = "Wallet of this browser";
    frame.src = `${FRAMES}wallet.html#${new URLSearchParams({ asks: "wallet", origin: location.origin })}`;
    const hear = (event) => {
      if (event.origin !== SANDBOX_ORIGIN || event.source !== frame.contentWindow || event.data?.type !== "wallet") return;
      removeEventListener("message", hear);
      frame.remove();
      resolve(event.data.wallet in WALLET_NAMES ? event.data.wallet : null);
    };
    addEventListener("message", hear);
    document.body.append(frame);
  });
}

class PaymentRequest extends Emitter {
  #key;
  #options;
  #wallet = null;
  #close = null;

  constructor(key, options = {}) {
    super();
    this.#key = key;
    this.#options = checkedRequest(options);
  }

  async canMakePayment() {
    const wallet = await walletOfThisBrowser();
    this.#wallet = wallet && !this.#options.disableWallets?.includes(wallet) ? wallet : null;
    return this.#wallet && { applePay: false, googlePay: false, link: false, [this.#wallet]: true };
  }

  isShowing() {
    return this.#close !== null;
  }

  update(changed) {
    if (this.#close) throw new IntegrationError("You can not update the PaymentRequest while the payment interface is showing.");
    this.#options = checkedRequest({ ...this.#options, ...changed });
  }

  show() {
    if (!this.#wallet) throw new IntegrationError("show() can only be called once canMakePayment() has resolved to a result.");
    if (!navigator.userActivation.isActive) throw new IntegrationError("show() must be called in an event handler of a user gesture.");
    if (this.#close) throw new IntegrationError("The payment interface is already showing.");
    const { currency, total, requestPayerName, requestPayerEmail } = this.#options;
    const asked = { asks: "payment", key: this.#key, wallet: WALLET_NAMES[this.#wallet], currency, ...total };
    if (requestPayerName) asked.payerName = true;
    if (requestPayerEmail) asked.payerEmail = true;
    this.#close = openDialog({
      title: WALLET_NAMES[this.#wallet],
      page: "wallet.html",
      asked,
      onMessage: (message) => {
        if (message?.type === "cancelled") this.abort();
        if (message?.type === "agreed") this.#agreed(message.answer);
      },
      onEscape: () => this.abort(),
    });
  }

  abort() {
    if (this.#leave()) this.emit("cancel");
  }

  #leave() {
    const close = this.#close;
    this.#close = null;
    close?.();
    return close !== null;
  }

  // The window stays open until the shop has said how it went, or too long has passed.
  #agreed({ paymentMethod, payerName, payerEmail }) {
    const timer = setTimeout(() => this.abort(), COMPLETE_WITHIN_MS);
    let isComplete = false;
    const complete = () => {
      if (isComplete) throw new IntegrationError("complete() has been called already.");
      isComplete = true;
      clearTimeout(timer);
      this.#leave();
    };
    this.emit("paymentmethod", { paymentMethod, payerName, payerEmail, walletName: this.#wallet, methodName: this.#wallet, complete });
  }
}

function checkedRequest(options) {
  const { country, currency, total } = options;
  const wrong = (name, rule, given) => new IntegrationError(`Invalid value for paymentRequest(): ${name} should be ${rule}. You specified: ${JSON.stringify(given)}.`);
  if (!/^[A-Z]{2}$/.test(country)) throw wrong("country", "a two-letter country code", country);
  if (!/^[a-z]{3}$/.test(currency)) throw wrong("currency", "a three-letter currency code in small letters", currency);
  if (typeof total?.label !== "string" || !total.label) throw wrong("total.label", "a string", total?.label);
  if (!Number.isInteger(total.amount) || total.amount < 0) throw wrong("total.amount", "a whole number of the currency's smallest unit", total.amount);
  return options;
}

