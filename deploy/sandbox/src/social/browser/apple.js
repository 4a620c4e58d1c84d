// window.AppleID, as appleid.auth.js defines it.

let config = {};

const FAILURES = { blocked: "popup_blocked_by_browser", closed: "popup_closed_by_user", cancelled: "user_cancelled_authorize" };

function announce(name, detail) {
  document.dispatchEvent(new CustomEvent(name, { detail }));
}

async function signIn(overrides) {
  const asked = { ...config, ...overrides };
  if (!asked.clientId || !asked.redirectURI) throw { error: "invalid_request" };
  if (!asked.usePopup) {
    // The redirect posts a form to the redirectURI, which this product does not use.
    throw { error: "redirect_not_available_in_the_sandbox" };
  }
  const { outcome, answer } = await ask("/apple/auth/authorize", {
    client_id: asked.clientId,
    redirect_uri: asked.redirectURI,
    response_type: "code id_token",
    response_mode: "web_message",
    scope: asked.scope,
    state: asked.state,
    nonce: asked.nonce,
  });
  if (outcome !== "signedIn") {
    const failure = { error: FAILURES[outcome] };
    announce("AppleIDSignInOnFailure", failure);
    throw failure;
  }
  announce("AppleIDSignInOnSuccess", answer);
  return answer;
}

function renderButton() {
  const place = document.getElementById("appleid-signin");
  if (!place) return;
  const text = place.dataset.type === "sign up" ? "Sign up with Apple" : "Sign in with Apple";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  Object.assign(button.style, { inlineSize: "100%", minBlockSize: "44px", border: "0", borderRadius: "6px", background: "#000", color: "#fff", font: "500 16px system-ui, sans-serif", cursor: "pointer" });
  button.addEventListener("click", () => signIn().catch(() => {}));
  place.replaceChildren(button);
}

window.AppleID = {
  auth: {
    init(given) {
      config = { ...given };
      renderButton();
    },
    signIn,
    renderButton,
  },
};
