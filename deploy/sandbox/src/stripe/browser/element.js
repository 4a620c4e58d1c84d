// One Element: a frame of the sandbox inside the shop's container, and the messages between the two.

const FRAME_TITLES = {
  card: "Secure card payment input frame",
  cardNumber: "Secure card number input frame",
  cardExpiry: "Secure expiration date input frame",
  cardCvc: "Secure CVC input frame",
  payment: "Secure payment input frame",
};

const STATE_CLASSES = {
  base: "StripeElement",
  complete: "StripeElement--complete",
  empty: "StripeElement--empty",
  focus: "StripeElement--focus",
  invalid: "StripeElement--invalid",
  webkitAutofill: "StripeElement--webkit-autofill",
};

const ANSWER_TIMEOUT_MS = 30_000;
let framesMade = 0;

class StripeElement extends Emitter {
  #type;
  #options;
  #shared;
  #parent = null;
  #frame = null;
  #labels = [];
  #ready = null;
  #waiting = new Map();
  #asked = 0;
  #state = { empty: true, complete: false, error: undefined, focused: false };
  #destroyed = false;
  #onMessage = (event) => this.#hear(event);
  #onLabel = (event) => {
    event.preventDefault();
    this.focus();
  };

  constructor(type, options, shared) {
    super();
    this.#type = type;
    this.#options = { ...options };
    this.#shared = shared;
  }

  get _componentName() {
    return this.#type;
  }

  mount(target) {
    if (this.#destroyed) throw new IntegrationError("This Element has already been destroyed. Please create a new one.");
    const node = typeof target === "string" ? document.querySelector(target) : target;
    if (!(node instanceof Element)) {
      throw new IntegrationError(`The selector you specified (${target}) applies to no DOM elements that are currently on the page.`);
    }
    if (this.#parent === node && this.#frame) return;
    this.unmount();
    this.#parent = node;
    this.#place();
    this.#bindLabels();
    this.#paintState();
  }

  #place() {
    const holder = document.createElement("div");
    holder.className = "__PrivateStripeElement";
    const frame = document.createElement("iframe");
    framesMade += 1;
    frame.name = `__privateStripeFrame${framesMade}`;
    frame.title = FRAME_TITLES[this.#type];
    frame.allow = "payment *";
    frame.src = `${FRAMES}element.html#${new URLSearchParams({ origin: location.origin })}`;
    Object.assign(holder.style, { margin: "0", padding: "0", border: "none", display: "block", background: "transparent", position: "relative", opacity: "1" });
    Object.assign(frame.style, { border: "none", margin: "0", padding: "0", width: "1px", minWidth: "100%", overflow: "hidden", display: "block", userSelect: "none", colorScheme: "light only", height: "19.2px" });
    this.#ready = new Promise((resolve) => this.once("ready", resolve));
    this.#frame = frame;
    addEventListener("message", this.#onMessage);
    holder.append(frame);
    this.#parent.replaceChildren(holder);
  }

  // A label of the container cannot reach into the frame by itself.
  #bindLabels() {
    const id = this.#parent.id;
    this.#labels = id ? [...document.querySelectorAll(`label[for="${CSS.escape(id)}"]`)] : [];
    for (const label of this.#labels) label.addEventListener("click", this.#onLabel);
  }

  unmount() {
    removeEventListener("message", this.#onMessage);
    for (const label of this.#labels) label.removeEventListener("click", this.#onLabel);
    if (this.#parent) {
      this.#parent.classList.remove(...this.#classNames());
      this.#parent.replaceChildren();
    }
    for (const { resolve } of this.#waiting.values()) resolve({ error: { type: "api_error", message: "The Element was removed." } });
    this.#waiting.clear();
    this.#labels = [];
    this.#parent = null;
    this.#frame = null;
    this.#state = { empty: true, complete: false, error: undefined, focused: false };
  }

  destroy() {
    this.unmount();
    this.#destroyed = true;
    this.#shared.forget(this);
  }

  update(options) {
    this.#options = { ...this.#options, ...options };
    this.#say({ type: "update", options: this.#frameOptions() });
    this.#paintState();
  }

  focus() {
    this.#say({ type: "focus" });
  }

  blur() {
    this.#say({ type: "blur" });
  }

  clear() {
    this.#say({ type: "clear" });
  }

  collapse() {}

  // Asks the frame to do something and waits for its answer.
  async ask(request) {
    if (!this.#frame) {
      throw new IntegrationError("We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.");
    }
    await this.#ready;
    this.#asked += 1;
    const number = this.#asked;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(number);
        resolve({ error: { type: "api_connection_error", message: "The payment form did not answer." } });
      }, ANSWER_TIMEOUT_MS);
      this.#waiting.set(number, {
        resolve: (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
      });
      this.#say({ ...request, number });
    });
  }

  #frameOptions() {
    const { style, placeholder, disabled, showIcon, iconStyle, hideIcon, hidePostalCode } = this.#options;
    const { locale, fonts, appearance } = this.#shared.options;
    return { style, placeholder, disabled, showIcon, iconStyle, hideIcon, hidePostalCode, locale, fonts, appearance };
  }

  #say(message) {
    this.#frame?.contentWindow?.postMessage({ stripeElement: true, ...message }, SANDBOX_ORIGIN);
  }

  #hear(event) {
    if (event.origin !== SANDBOX_ORIGIN || event.source !== this.#frame?.contentWindow) return;
    const message = event.data;
    if (!message?.stripeElement) return;
    switch (message.type) {
      case "loaded":
        this.#say({ type: "begin", element: this.#type, group: this.#shared.group, options: this.#frameOptions() });
        break;
      case "size":
        this.#frame.style.height = `${message.height}px`;
        break;
      case "ready":
        this.emit("ready", { elementType: this.#type });
        break;
      case "change":
        Object.assign(this.#state, message.state);
        this.#paintState();
        this.emit("change", { elementType: this.#type, ...message.state });
        break;
      case "networks":
        this.emit("networkschange", { elementType: this.#type, networks: message.networks });
        break;
      case "focus":
      case "blur":
        this.#state.focused = message.type === "focus";
        this.#paintState();
        this.emit(message.type, { elementType: this.#type });
        break;
      case "escape":
        this.emit("escape", { elementType: this.#type });
        break;
      case "answer":
        this.#waiting.get(message.number)?.resolve(message.answer);
        this.#waiting.delete(message.number);
        break;
    }
  }

  #classNames() {
    return Object.values({ ...STATE_CLASSES, ...this.#options.classes }).flatMap((names) => names.split(/\s+/)).filter(Boolean);
  }

  #paintState() {
    if (!this.#parent) return;
    const names = { ...STATE_CLASSES, ...this.#options.classes };
    const { empty, complete, error, focused } = this.#state;
    const on = { base: true, complete: complete && !empty, empty, focus: focused, invalid: Boolean(error), webkitAutofill: false };
    for (const [state, value] of Object.entries(names)) {
      for (const name of value.split(/\s+/).filter(Boolean)) this.#parent.classList.toggle(name, Boolean(on[state]));
    }
  }
}

// Wallets are not available here: the Element stays empty and says so.
class ExpressCheckoutElement extends Emitter {
  #parent = null;
  #shared;

  constructor(shared) {
    super();
    this.#shared = shared;
  }

  get _componentName() {
    return "expressCheckout";
  }

  mount(target) {
    this.#parent = typeof target === "string" ? document.querySelector(target) : target;
    setTimeout(() => {
      if (this.#parent) this.emit("ready", { elementType: "expressCheckout", availablePaymentMethods: undefined });
    }, 0);
  }

  unmount() {
    this.#parent = null;
  }

  destroy() {
    this.unmount();
    this.#shared.forget(this);
  }

  update() {}
}

