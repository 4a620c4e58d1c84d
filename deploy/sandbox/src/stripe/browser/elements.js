// A group of Elements that belong to one form.

const SINGLE_FIELDS = ["cardNumber", "cardExpiry", "cardCvc"];
const TYPES = [...SINGLE_FIELDS, "card", "payment", "expressCheckout"];
let groupsMade = 0;

class Elements {
  #key;
  #shared;
  #members = new Map();

  constructor(key, options = {}) {
    groupsMade += 1;
    this.#key = key;
    this.#shared = {
      options: { ...options },
      group: `${Date.now()}-${groupsMade}`,
      forget: (element) => this.#forget(element),
    };
  }

  create(type, options = {}) {
    if (!TYPES.includes(type)) throw new IntegrationError(`Unknown Element type in the sandbox: ${type}.`);
    if (this.#members.has(type)) {
      throw new IntegrationError(`Can only create one Element of type ${type} through elements().`);
    }
    const element = type === "expressCheckout"
      ? new ExpressCheckoutElement(this.#shared)
      : new StripeElement(type, options, this.#shared);
    this.#members.set(type, element);
    return element;
  }

  // Also takes a component of react-stripe-js, which names its type.
  getElement(which) {
    const type = typeof which === "string" ? which : which?.__elementType;
    return this.#members.get(type) ?? null;
  }

  update(options = {}) {
    Object.assign(this.#shared.options, options);
    for (const element of this.#members.values()) element.update({});
  }

  async fetchUpdates() {
    return {};
  }

  async submit() {
    const payment = this.#members.get("payment");
    if (!payment) return {};
    const { error } = await payment.ask({ type: "validate" });
    return error ? { error } : { selectedPaymentMethod: "card" };
  }

  get _clientSecret() {
    return this.#shared.options.clientSecret;
  }

  async _createPaymentMethod(details) {
    const source = this.#members.get("payment") ?? this.#members.get("card") ?? this.#members.get("cardNumber");
    if (!source) throw new IntegrationError("There is no Element to collect a payment method from.");
    return source.ask({ type: "createPaymentMethod", key: this.#key, details });
  }

  #forget(element) {
    for (const [type, member] of this.#members) {
      if (member === element) this.#members.delete(type);
    }
  }
}

