// Payment and setup intents: confirmed with the publishable key and the client secret, then followed to their end.

const PAYMENT = { path: "payment_intents", name: "paymentIntent", object: "payment_intent", error: "last_payment_error" };
const SETUP = { path: "setup_intents", name: "setupIntent", object: "setup_intent", error: "last_setup_error" };

class Intents {
  #key;

  constructor(key) {
    this.#key = key;
  }

  async retrieve(kind, clientSecret) {
    const { ok, error } = await this.#get(kind, clientSecret);
    return error ? { error } : { [kind.name]: ok };
  }

  async confirm(kind, clientSecret, params, handleActions = true) {
    const id = intentId(clientSecret, kind.path);
    const confirmed = await callApi(this.#key, "POST", `${kind.path}/${id}/confirm`, {
      ...params,
      client_secret: clientSecret,
      use_stripe_sdk: true,
    });
    if (confirmed.error) return { error: confirmed.error };
    return handleActions ? this.#follow(kind, confirmed.ok) : { [kind.name]: confirmed.ok };
  }

  // Answers whatever question the intent waits with.
  async handle(kind, clientSecret) {
    const { ok, error } = await this.#get(kind, clientSecret);
    return error ? { error } : this.#follow(kind, ok);
  }

  #get(kind, clientSecret) {
    const id = intentId(clientSecret, kind.path);
    return callApi(this.#key, "GET", `${kind.path}/${id}`, { client_secret: clientSecret });
  }

  async #follow(kind, intent) {
    if (intent.status !== "requires_action" || !intent.next_action) return { [kind.name]: intent };
    if (intent.next_action.type === "redirect_to_url") {
      location.assign(intent.next_action.redirect_to_url.url);
      return new Promise(() => {});
    }
    await openChallenge(this.#key, intent);
    const { ok, error } = await this.#get(kind, intent.client_secret);
    if (error) return { error };
    if (ok.status === "requires_payment_method" && ok[kind.error]) {
      return { error: { ...ok[kind.error], [kind.object]: ok } };
    }
    return { [kind.name]: ok };
  }
}

