// The page inside an Element's frame. It keeps the card data: the shop's page learns only whether it is complete.

import { FIELDS, brandOf, networksOf } from "./fields.js";
import { directionOf, languageOf, wordsFor } from "./messages.js";

const shopOrigin = new URLSearchParams(location.hash.slice(1)).get("origin");
const root = document.getElementById("fields");
const api = new URL("../v1/", location.href);
const inputs = new Map();
let element = null;
let group = null;
let options = {};
let words = wordsFor("en");
let complained = new Set();

// Frames of one form find each other here; only frames of this origin can look.
window.stripeElementPeer = { group: () => group, inputs };

const say = (message) => parent.postMessage({ stripeElement: true, ...message }, shopOrigin);

function peers() {
  const found = [window.stripeElementPeer];
  for (let index = 0; index < parent.length; index += 1) {
    try {
      const peer = parent[index].stripeElementPeer;
      if (peer && peer !== window.stripeElementPeer && peer.group() === group) found.push(peer);
    } catch {
      // A frame of another origin is none of ours.
    }
  }
  return found;
}

// The inputs of the whole form, whichever frames they are in.
const formInputs = () => new Map(peers().flatMap((peer) => [...peer.inputs]));
const numberTyped = () => formInputs().get("cardNumber")?.value.replace(/\D/g, "") ?? "";

function addField(name) {
  const field = FIELDS[name];
  const holder = document.createElement("div");
  holder.className = "field";
  holder.dataset.field = name;
  const label = document.createElement("label");
  label.htmlFor = name;
  const input = document.createElement("input");
  Object.assign(input, { id: name, name: field.name, type: "text", inputMode: "numeric", autocomplete: field.autocomplete, spellcheck: false });
  input.setAttribute("autocorrect", "off");
  input.setAttribute("autocapitalize", "none");
  input.dir = "ltr";
  input.addEventListener("input", (event) => typed(name, input, event));
  input.addEventListener("focus", () => say({ type: "focus" }));
  input.addEventListener("blur", () => left(name, input));
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") say({ type: "escape" });
  });
  holder.append(label, input);
  root.append(holder);
  inputs.set(name, input);
}

function typed(name, input, event) {
  const erasing = event.inputType?.startsWith("delete") ?? false;
  const before = input.value.slice(0, input.selectionStart).replace(/\D/g, "").length;
  const atEnd = input.selectionStart === input.value.length;
  input.value = FIELDS[name].format(input.value, erasing, numberTyped());
  if (!atEnd) placeCaret(input, before);
  complained.delete(name);
  tellChange();
  advance(name, input, atEnd);
}

// After the same number of digits as before the spaces were put in.
function placeCaret(input, digits) {
  let at = 0;
  for (let seen = 0; at < input.value.length && seen < digits; at += 1) {
    if (/\d/.test(input.value[at])) seen += 1;
  }
  input.setSelectionRange(at, at);
}

// In a frame with several fields a finished one hands over to the next.
function advance(name, input, atEnd) {
  if (inputs.size === 1 || !atEnd || check(name, input)) return;
  const names = [...inputs.keys()];
  inputs.get(names[names.indexOf(name) + 1])?.focus();
}

function left(name, input) {
  say({ type: "blur" });
  if (input.value && check(name, input)) complained.add(name);
  tellChange();
}

const check = (name, input) => FIELDS[name].check(input.value, numberTyped());

// What is plainly wrong is said at once, what is unfinished only when the field is left.
function complaint() {
  for (const [name, input] of inputs) {
    const code = check(name, input);
    if (code && (complained.has(name) || (input.value && code.startsWith("invalid")))) {
      return { name, error: { type: "validation_error", code, message: words[code] } };
    }
  }
  return null;
}

let lastNetworks = "";
function tellNetworks() {
  const networks = networksOf(numberTyped());
  const current = networks.join();
  if (current === lastNetworks) return;
  lastNetworks = current;
  say({ type: "networks", networks });
}

let lastSent = "";
function tellChange() {
  const values = [...inputs].map(([name, input]) => [input.value, check(name, input)]);
  const wrong = complaint();
  const state = {
    empty: values.every(([value]) => value === ""),
    complete: values.every(([, code]) => code === null),
    error: wrong?.error,
  };
  if (inputs.has("cardNumber")) state.brand = brandOf(numberTyped()).name;
  if (element === "card") state.value = { postalCode: "" };
  if (element === "payment") Object.assign(state, { value: { type: "card" }, collapsed: false });
  paint(wrong, state.complete);
  if (inputs.has("cardNumber")) tellNetworks();
  const current = JSON.stringify(state);
  if (current === lastSent) return;
  lastSent = current;
  say({ type: "change", state });
}

function paint(wrong, complete) {
  const style = options.style ?? {};
  const base = style.base ?? {};
  for (const [name, input] of inputs) {
    const bad = wrong?.name === name;
    const chosen = { ...base, ...(bad ? { color: "#b3093c", ...style.invalid } : complete ? style.complete : input.value ? {} : style.empty) };
    applyStyle(input, chosen);
    input.setAttribute("aria-invalid", String(bad));
    input.style.setProperty("--placeholder", chosen["::placeholder"]?.color ?? "#6b7280");
  }
  if (element === "payment") showComplaint(wrong);
}

const STYLES = ["color", "fontFamily", "fontSize", "fontStyle", "fontVariant", "fontWeight", "lineHeight", "letterSpacing", "textAlign", "textDecoration", "textShadow", "textTransform", "padding", "backgroundColor"];

function applyStyle(input, style) {
  for (const property of STYLES) input.style[property] = style[property] ?? "";
  if (style.fontSmoothing) input.style.webkitFontSmoothing = style.fontSmoothing;
}

function showComplaint(wrong) {
  root.querySelectorAll(".complaint").forEach((old) => old.remove());
  for (const [name, input] of inputs) {
    if (wrong?.name !== name) {
      input.removeAttribute("aria-describedby");
      continue;
    }
    const line = document.createElement("p");
    Object.assign(line, { className: "complaint", id: `${name}-complaint`, textContent: wrong.error.message });
    line.setAttribute("role", "alert");
    input.setAttribute("aria-describedby", line.id);
    input.parentElement.append(line);
  }
  tellSize();
}

function begin(message) {
  ({ element, group } = message);
  const names = FIELDS[element] ? [element] : Object.keys(FIELDS);
  root.className = element === "payment" ? "labelled" : names.length > 1 ? "several" : "";
  names.forEach(addField);
  applyOptions(message.options);
  new ResizeObserver(tellSize).observe(root);
  say({ type: "ready" });
}

function applyOptions(given) {
  options = given ?? {};
  const language = languageOf(options.locale);
  words = wordsFor(language);
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  for (const [name, input] of inputs) {
    const label = root.querySelector(`label[for="${name}"]`);
    label.textContent = words[name];
    label.className = element === "payment" ? "" : "visually-hidden";
    input.placeholder = (inputs.size === 1 ? options.placeholder : undefined) ?? FIELDS[name].placeholder;
    input.disabled = options.disabled ?? false;
    input.style.textAlign = directionOf(language) === "rtl" ? "right" : "";
  }
  for (const { cssSrc } of options.fonts ?? []) {
    if (cssSrc && !document.querySelector(`link[href="${CSS.escape(cssSrc)}"]`)) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: cssSrc }));
    }
  }
  paint(null, false);
  tellSize();
}

let lastHeight = 0;
function tellSize() {
  const height = Math.ceil(root.getBoundingClientRect().height * 10) / 10;
  if (height > 0 && height !== lastHeight) {
    lastHeight = height;
    say({ type: "size", height });
  }
}

// The first thing that keeps the form from being sent, shown in its own field.
function validate() {
  for (const [name, input] of formInputs()) {
    const code = check(name, input);
    if (!code) continue;
    if (inputs.has(name)) complained.add(name);
    tellChange();
    return { type: "validation_error", code, message: words[code] };
  }
  return null;
}

async function createPaymentMethod({ key, details }) {
  const error = validate();
  if (error) return { error };
  const card = {};
  for (const [name, input] of formInputs()) Object.assign(card, FIELDS[name].values(input.value));
  const form = new URLSearchParams({ type: "card", key });
  for (const [name, value] of Object.entries(card)) form.append(`card[${name}]`, value);
  append(form, "billing_details", details?.billing_details);
  append(form, "metadata", details?.metadata);
  try {
    const response = await fetch(new URL("payment_methods", api), { method: "POST", body: form });
    const body = await response.json();
    return response.ok ? { paymentMethod: body } : { error: body.error };
  } catch {
    return { error: { type: "api_connection_error", message: "We are experiencing issues connecting to our payments provider. Please check your connection and try again." } };
  }
}

function append(form, key, value) {
  if (value === undefined || value === null) return;
  if (typeof value !== "object") {
    form.append(key, String(value));
    return;
  }
  for (const [name, inner] of Object.entries(value)) append(form, `${key}[${name}]`, inner);
}

async function answer(message) {
  switch (message.type) {
    case "validate":
      return { error: validate() ?? undefined };
    case "createPaymentMethod":
      return createPaymentMethod(message);
  }
}

addEventListener("message", async (event) => {
  if (event.source !== parent || event.origin !== shopOrigin || !event.data?.stripeElement) return;
  const message = event.data;
  const first = [...inputs.values()][0];
  switch (message.type) {
    case "begin":
      begin(message);
      break;
    case "update":
      applyOptions(message.options);
      break;
    case "focus":
      first?.focus();
      break;
    case "blur":
      document.activeElement?.blur();
      break;
    case "clear":
      for (const input of inputs.values()) input.value = "";
      complained = new Set();
      tellChange();
      break;
    default:
      say({ type: "answer", number: message.number, answer: await answer(message) });
  }
});

say({ type: "loaded" });
