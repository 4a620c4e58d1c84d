// window.Stripe

const VERSION = "endive";

function Stripe(publishableKey, options = {}) {
  if (typeof publishableKey !== "string" || !publishableKey.startsWith("pk_")) {
    throw new IntegrationError("Missing value for Stripe(): apiKey should be a publishable key.");
  }
  const intents = new Intents(publishableKey);

  // The card of a payment method comes from an Element, or is an id already.
  async function paymentMethodId(given) {
    if (given === undefined || typeof given === "string") return { id: given };
    const { card, billing_details, metadata } = given;
    if (card?.token) return createFromToken(given);
    const { paymentMethod, error } = await fromElement(card, { billing_details, metadata });
    return error ? { error } : { id: paymentMethod.id };
  }

  async function createFromToken({ card, billing_details }) {
    const params = { type: "card", card: { token: card.token }, billing_details };
    const { ok, error } = await callApi(publishableKey, "POST", "payment_methods", params);
    return error ? { error } : { id: ok.id };
  }

  function fromElement(element, details) {
    if (!(element instanceof StripeElement)) {
      throw new IntegrationError("Invalid value for card: value should be an Element or an object with a token.");
    }
    return element.ask({ type: "createPaymentMethod", key: publishableKey, details });
  }

  async function confirmWith(kind, clientSecret, data = {}, { handleActions = true } = {}) {
    const { payment_method, ...rest } = data;
    if (payment_method === undefined) {
      const { [kind.name]: intent, error } = await intents.retrieve(kind, clientSecret);
      if (error) return { error };
      if (intent.status === "requires_action") return handleActions ? intents.handle(kind, clientSecret) : { [kind.name]: intent };
    }
    const { id, error } = await paymentMethodId(payment_method);
    if (error) return { error };
    const { setup_future_usage, receipt_email, shipping, return_url, payment_method_options } = rest;
    const params = { payment_method: id, setup_future_usage, receipt_email, shipping, return_url, payment_method_options };
    return intents.confirm(kind, clientSecret, params, handleActions);
  }

  // Only an intent that needs a redirect leaves the page; cards never do here.
  async function confirmElements(kind, { elements, clientSecret, confirmParams = {} }) {
    const secret = clientSecret ?? elements?._clientSecret;
    const { return_url, payment_method_data, ...rest } = confirmParams;
    let id = rest.payment_method;
    if (!id) {
      const created = await elements._createPaymentMethod({ billing_details: payment_method_data?.billing_details });
      if (created.error) return { error: created.error };
      id = created.paymentMethod.id;
    }
    return intents.confirm(kind, secret, { ...rest, payment_method: id });
  }

  return {
    elements: (given) => new Elements(publishableKey, { locale: options.locale, ...given }),

    async createPaymentMethod(first, second) {
      const data = typeof first === "string" ? { type: first, ...second } : first;
      if (data.elements) return data.elements._createPaymentMethod(data.params ?? {});
      if (data.type !== "card") throw new IntegrationError(`The sandbox makes payment methods of type card only, not ${data.type}.`);
      return fromElement(data.card, { billing_details: data.billing_details, metadata: data.metadata });
    },

    async createToken() {
      return { error: { type: "invalid_request_error", message: "The sandbox makes payment methods, not tokens." } };
    },

    async createConfirmationToken() {
      return { error: { type: "invalid_request_error", message: "The sandbox does not make confirmation tokens." } };
    },

    confirmCardPayment: (clientSecret, data, more) => confirmWith(PAYMENT, clientSecret, data, more),
    confirmCardSetup: (clientSecret, data, more) => confirmWith(SETUP, clientSecret, data, more),
    confirmPayment: (given) => confirmElements(PAYMENT, given),
    confirmSetup: (given) => confirmElements(SETUP, given),
    retrievePaymentIntent: (clientSecret) => intents.retrieve(PAYMENT, clientSecret),
    retrieveSetupIntent: (clientSecret) => intents.retrieve(SETUP, clientSecret),
    handleCardAction: (clientSecret) => intents.handle(PAYMENT, clientSecret),
    handleNextAction: ({ clientSecret }) =>
      intents.handle(String(clientSecret).startsWith("seti_") ? SETUP : PAYMENT, clientSecret),

    paymentRequest: (given) => new PaymentRequest(publishableKey, given),

    registerAppInfo() {},
    _registerWrapper() {},
  };
}

Stripe.version = VERSION;
window.Stripe = Stripe;
