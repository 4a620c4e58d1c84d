// window.google.accounts.id, as the gsi client defines it.

let config = {};
let oneTap = null;

const TEXTS = { signin_with: "Sign in with Google", signup_with: "Sign up with Google", continue_with: "Continue with Google", signin: "Sign in" };

// As Google does, in the language it is asked for.
const TRANSLATED = {
  tr: { signin_with: "Google ile giriş yap", signup_with: "Google ile kaydol" },
  es: { signin_with: "Iniciar sesión con Google", signup_with: "Registrarse con Google" },
  fr: { signin_with: "Se connecter avec Google", signup_with: "S’inscrire avec Google" },
  de: { signin_with: "Mit Google anmelden", signup_with: "Mit Google registrieren" },
  it: { signin_with: "Accedi con Google", signup_with: "Registrati con Google" },
  pt: { signin_with: "Entrar com Google", signup_with: "Cadastrar-se com Google" },
  ru: { signin_with: "Войти через Google", signup_with: "Зарегистрироваться через Google" },
  ja: { signin_with: "Googleでログイン", signup_with: "Googleで登録" },
  ko: { signin_with: "Google 계정으로 로그인", signup_with: "Google 계정으로 가입" },
  pl: { signin_with: "Zaloguj się przez Google", signup_with: "Zarejestruj się przez Google" },
  az: { signin_with: "Google ilə daxil ol", signup_with: "Google ilə qeydiyyatdan keç" },
  da: { signin_with: "Log ind med Google", signup_with: "Tilmeld dig med Google" },
  ar: { signin_with: "تسجيل الدخول باستخدام Google", signup_with: "إنشاء حساب باستخدام Google" },
};

const MARK = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><path fill="#ea4335" d="M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z"/><path fill="#4285f4" d="M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z"/><path fill="#fbbc05" d="M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z"/><path fill="#34a853" d="M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z"/></svg>',
)}`;

const THEMES = {
  outline: { background: "#fff", color: "#1f1f1f", borderColor: "#747775" },
  filled_blue: { background: "#1a73e8", color: "#fff", borderColor: "#1a73e8" },
  filled_black: { background: "#131314", color: "#e3e3e3", borderColor: "#8e918f" },
};

const HEIGHTS = { large: "40px", medium: "32px", small: "20px" };
const ROUND = ["pill", "circle"];

const asked = () => ({ client_id: config.client_id, nonce: config.nonce, ux_mode: "popup", login_hint: config.login_hint });

function isReady() {
  if (config.client_id && config.callback) return true;
  console.error("[GSI_LOGGER]: Failed: initialize() must be called with client_id and callback first.");
  return false;
}

// A closed window sends no message, as at Google.
async function choose(clickListener) {
  clickListener?.();
  if (!isReady()) return;
  const { outcome, answer } = await ask("/google/gsi/select", asked());
  if (outcome === "signedIn") config.callback(answer);
}

function moment(type, reason) {
  const is = (wanted) => () => type === wanted;
  return {
    getMomentType: () => (type === "displayed" ? "display" : type),
    isDisplayMoment: is("displayed"),
    isDisplayed: is("displayed"),
    isNotDisplayed: () => false,
    getNotDisplayedReason: () => undefined,
    isSkippedMoment: is("skipped"),
    getSkippedReason: () => (type === "skipped" ? reason : undefined),
    isDismissedMoment: is("dismissed"),
    getDismissedReason: () => (type === "dismissed" ? reason : undefined),
  };
}

function prompt(listener = () => {}) {
  if (!isReady()) return;
  cancel();
  const frame = document.createElement("iframe");
  frame.title = "Sign in with Google";
  frame.src = question("/google/gsi/select", asked());
  Object.assign(frame.style, { position: "fixed", insetBlockStart: "16px", insetInlineEnd: "16px", inlineSize: "min(400px, 92vw)", blockSize: "480px", border: "1px solid #747775", borderRadius: "8px", background: "#fff", zIndex: "9999" });
  const hear = (event) => {
    if (event.origin !== SANDBOX_ORIGIN || event.source !== frame.contentWindow) return;
    cancel();
    if (event.data?.type === "signedIn") {
      config.callback({ ...event.data.answer, select_by: "user" });
      listener(moment("dismissed", "credential_returned"));
    }
    if (event.data?.type === "cancelled") listener(moment("skipped", "user_cancel"));
  };
  addEventListener("message", hear);
  oneTap = { frame, close: () => removeEventListener("message", hear) };
  document.body.append(frame);
  listener(moment("displayed"));
}

function cancel() {
  oneTap?.close();
  oneTap?.frame.remove();
  oneTap = null;
}

window.google = window.google ?? {};
window.google.accounts = {
  ...window.google.accounts,
  id: {
    initialize(given) {
      config = { ...given };
    },
    renderButton(place, options = {}, clickListener = options.click_listener) {
      const button = document.createElement("button");
      button.type = "button";
      button.lang = "en";
      const mark = Object.assign(document.createElement("img"), { src: MARK, alt: "", width: 18, height: 18 });
      const texts = { ...TEXTS, ...TRANSLATED[options.locale] };
      button.append(mark, texts[options.text] ?? texts.signin_with);
      Object.assign(button.style, {
        ...(THEMES[options.theme] ?? THEMES.outline),
        blockSize: HEIGHTS[options.size] ?? HEIGHTS.large,
        inlineSize: options.width ? `${Number.parseInt(options.width, 10)}px` : "auto",
        display: "inline-flex",
        alignItems: "center",
        justifyContent: "center",
        gap: "10px",
        padding: "0 12px",
        borderStyle: "solid",
        borderWidth: "1px",
        borderRadius: ROUND.includes(options.shape) ? "20px" : "4px",
        font: "500 14px system-ui, sans-serif",
        cursor: "pointer",
      });
      button.addEventListener("click", () => choose(clickListener));
      place.replaceChildren(button);
    },
    prompt,
    cancel,
    disableAutoSelect() {},
    revoke(_hint, done) {
      done?.({ successful: true });
    },
  },
};
window.onGoogleLibraryLoad?.();
