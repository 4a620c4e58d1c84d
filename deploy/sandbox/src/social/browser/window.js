// Opens the provider's window and hears what it says.

const SANDBOX_ORIGIN = new URL(document.currentScript.src).origin;
const CLOSED_CHECK_MS = 150;
const LAST_WORD_MS = 1_000;

function question(path, asked) {
  const given = Object.entries({ ...asked, origin: location.origin }).filter(([, value]) => value != null);
  return `${SANDBOX_ORIGIN}${path}?${new URLSearchParams(given)}`;
}

// The answer, "blocked" where the browser opened no window, "closed" where somebody went away.
function ask(path, asked) {
  const opened = window.open(question(path, asked), "sandbox-sign-in", "popup,width=480,height=680");
  if (!opened) return Promise.resolve({ outcome: "blocked" });
  return new Promise((resolve) => {
    const stop = (result) => {
      clearInterval(watch);
      removeEventListener("message", hear);
      resolve(result);
    };
    const hear = (event) => {
      if (event.origin !== SANDBOX_ORIGIN || event.source !== opened) return;
      if (event.data?.type === "signedIn") stop({ outcome: "signedIn", answer: event.data.answer });
      if (event.data?.type === "cancelled") stop({ outcome: "cancelled" });
    };
    const watch = setInterval(() => {
      if (!opened.closed) return;
      clearInterval(watch);
      // A window that answers closes right after: what it said may still be on its way.
      setTimeout(() => stop({ outcome: "closed" }), LAST_WORD_MS);
    }, CLOSED_CHECK_MS);
    addEventListener("message", hear);
  });
}

