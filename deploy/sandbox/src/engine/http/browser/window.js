// Opens a window of the sandbox and receives its message.

const SANDBOX_ORIGIN = new URL(document.currentScript.src).origin;
const CLOSED_CHECK_MS = 150;
const LAST_WORD_MS = 1_000;

function question(path, asked) {
  const given = Object.entries({ ...asked, origin: location.origin }).filter(([, value]) => value != null);
  return `${SANDBOX_ORIGIN}${path}?${new URLSearchParams(given)}`;
}

const openWindow = (path, asked) => window.open(question(path, asked), "sandbox-window", "popup,width=480,height=680");

// The window's message; "blocked" if the browser opened none, "closed" if the buyer closed it.
function hear(opened) {
  if (!opened) return Promise.resolve({ outcome: "blocked" });
  return new Promise((resolve) => {
    const stop = (result) => {
      clearInterval(watch);
      removeEventListener("message", listen);
      resolve(result);
    };
    const listen = (event) => {
      if (event.origin !== SANDBOX_ORIGIN || event.source !== opened) return;
      if (typeof event.data?.type === "string") stop({ outcome: event.data.type, answer: event.data.answer });
    };
    const watch = setInterval(() => {
      if (!opened.closed) return;
      clearInterval(watch);
      // A window that answers closes right after: what it said may still be on its way.
      setTimeout(() => stop({ outcome: "closed" }), LAST_WORD_MS);
    }, CLOSED_CHECK_MS);
    addEventListener("message", listen);
  });
}

const ask = (path, asked) => hear(openWindow(path, asked));

