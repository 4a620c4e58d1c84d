// Calls to Stripe's API from the shop's page. Card data never passes here: it is sent by the frames themselves.

const SCRIPT_URL = new URL(document.currentScript.src);
const SANDBOX_ORIGIN = SCRIPT_URL.origin;
const API = new URL("../v1/", SCRIPT_URL).href;
const FRAMES = new URL("./", SCRIPT_URL).href;

function encodeForm(value, prefix = "", pairs = new URLSearchParams()) {
  for (const [name, inner] of Object.entries(value ?? {})) {
    const key = prefix ? `${prefix}[${name}]` : name;
    if (inner === undefined || inner === null) continue;
    if (typeof inner === "object") encodeForm(inner, key, pairs);
    else pairs.append(key, String(inner));
  }
  return pairs;
}

// Answers {ok: object} or {error}, never throws.
async function callApi(key, method, path, params) {
  const form = encodeForm({ ...params, key });
  const url = new URL(path, API);
  const request = { method, headers: {} };
  if (method === "GET") url.search = form.toString();
  else request.body = form;
  try {
    const response = await fetch(url, request);
    const body = await response.json();
    return response.ok ? { ok: body } : { error: body.error };
  } catch {
    return { error: { type: "api_connection_error", message: "We are experiencing issues connecting to our payments provider. Please check your connection and try again." } };
  }
}

// "pi_1_secret_x" → "pi_1"
function intentId(clientSecret, kind) {
  const [id, rest] = String(clientSecret).split("_secret_");
  if (!rest || !id.startsWith(kind === "payment_intents" ? "pi_" : "seti_")) {
    throw new IntegrationError(
      `Invalid value for stripe.confirm intent secret: value should be a client secret of the form \${id}_secret_\${secret}. You specified: ${clientSecret}.`,
    );
  }
  return id;
}

class IntegrationError extends Error {
  constructor(message) {
    super(message);
    this.name = "IntegrationError";
  }
}

