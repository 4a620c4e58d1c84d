// window.paypal, as PayPal's script defines it for subscriptions.

const APPROVAL = "/paypal/webapps/billing/subscriptions";
const settings = new URL(document.currentScript.src).searchParams;
const namespace = document.currentScript.dataset.namespace ?? "paypal";
const colours = { gold: ["#ffc439", "#000"], blue: ["#0551b5", "#fff"], silver: ["#eee", "#000"], white: ["#fff", "#000"], black: ["#2c2e2f", "#fff"] };
const corners = { rect: "4px", pill: "100vmax", sharp: "0" };

async function accessToken() {
  const response = await fetch(`${SANDBOX_ORIGIN}/paypal/v1/oauth2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${settings.get("client-id")}:`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  return (await response.json()).access_token;
}

async function call(method, path, body) {
  const headers = { authorization: `Bearer ${await accessToken()}`, "content-type": "application/json" };
  const response = await fetch(`${SANDBOX_ORIGIN}/paypal/v1/billing/subscriptions${path}`, { method, headers, body: body && JSON.stringify(body) });
  const answer = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Error(`Subscription Api response error: ${JSON.stringify(answer)}`);
  return answer;
}

const subscription = {
  create: async (options) => (await call("POST", "", options)).id,
  get: (id) => call("GET", `/${id}`),
  activate: (id) => call("POST", `/${id}/activate`, {}),
  async revise(id, options) {
    await call("POST", `/${id}/revise`, options);
    return id;
  },
};

const failure = { failed: "PayPal could not process the subscription", blocked: "Unable to open popup window: blocked by the browser" };

// One way through the window, from the click to the callback.
async function buy(props) {
  const opened = openWindow(APPROVAL, {});
  try {
    const subscriptionID = await props.createSubscription({ paymentSource: "paypal" }, { subscription });
    if (opened) opened.location = question(APPROVAL, { subscription_id: subscriptionID });
    const { outcome, answer } = await hear(opened);
    if (failure[outcome]) throw new Error(failure[outcome]);
    const redirect = (url) => location.assign(url);
    if (outcome !== "approved") return props.onCancel?.({ subscriptionID }, { redirect });
    const data = { orderID: null, subscriptionID, billingToken: answer.billingToken, facilitatorAccessToken: await accessToken(), paymentSource: "paypal" };
    return await props.onApprove?.(data, { redirect, subscription: { ...subscription, get: () => subscription.get(subscriptionID) } });
  } catch (error) {
    opened?.close();
    if (!props.onError) throw error;
    return props.onError(error);
  }
}

function makeButton({ color = "gold", shape = "rect", height, label } = {}) {
  const button = document.createElement("button");
  const [background, text] = colours[color] ?? colours.gold;
  button.type = "button";
  button.textContent = label === "subscribe" ? "PayPal Subscribe" : "PayPal";
  Object.assign(button.style, { background, color: text, inlineSize: "100%", blockSize: `${Math.min(55, Math.max(25, height ?? 45))}px`, border: "1px solid transparent", borderRadius: corners[shape] ?? corners.rect, font: "bold 18px system-ui, sans-serif", cursor: "pointer" });
  return button;
}

function Buttons(given = {}) {
  let props = given;
  let button = null;

  const enable = () => button?.removeAttribute("aria-disabled");
  const disable = () => button?.setAttribute("aria-disabled", "true");

  async function click() {
    if (button.ariaDisabled === "true" || button.ariaBusy === "true") return;
    const [stop, go] = [Symbol("reject"), Symbol("resolve")];
    const wanted = props.onClick?.({ fundingSource: "paypal" }, { reject: () => stop, resolve: () => go });
    // A window opens only while the click is fresh: a promise is waited for only where there is one.
    if ((wanted instanceof Promise ? await wanted : wanted) === stop) return;
    button.ariaBusy = "true";
    try {
      await buy(props);
    } finally {
      if (button) button.ariaBusy = "false";
    }
  }

  return {
    isEligible: () => [undefined, "paypal"].includes(props.fundingSource),
    async render(target) {
      const container = typeof target === "string" ? document.querySelector(target) : target;
      if (!container) throw new Error(`Document is ready and element ${target} does not exist`);
      button = makeButton(props.style);
      button.addEventListener("click", click);
      container.append(button);
      props.onInit?.({}, { enable, disable });
    },
    async close() {
      button?.remove();
      button = null;
    },
    async updateProps(changed) {
      props = { ...props, ...changed };
    },
  };
}

window[namespace] = {
  version: "5.0.500",
  FUNDING: { PAYPAL: "paypal" },
  Buttons,
  getFundingSources: () => ["paypal"],
  isFundingEligible: (source) => source === "paypal",
};
