// 3-D Secure: the bank's question in a dialog over the page.

function openChallenge(key, intent) {
  return new Promise((resolve) => {
    const dialog = document.createElement("dialog");
    dialog.setAttribute("aria-label", "3D Secure authentication");
    Object.assign(dialog.style, { border: "0", padding: "0", borderRadius: "8px", width: "min(400px, 92vw)", height: "min(420px, 92vh)", overflow: "hidden", background: "#fff", boxShadow: "0 12px 48px rgb(0 0 0 / 35%)" });
    const frame = document.createElement("iframe");
    framesMade += 1;
    frame.name = `__privateStripeFrame${framesMade}`;
    frame.title = "3D Secure authentication";
    Object.assign(frame.style, { border: "0", width: "100%", height: "100%", display: "block", colorScheme: "light only" });
    const question = { source: intent.id, client_secret: intent.client_secret, key, origin: location.origin };
    frame.src = `${FRAMES}challenge.html#${new URLSearchParams(question)}`;

    const before = document.activeElement;
    const hear = (event) => {
      if (event.origin !== SANDBOX_ORIGIN || event.source !== frame.contentWindow) return;
      if (event.data?.type === "challengeReady") frame.focus();
      if (event.data?.type !== "challengeDone") return;
      removeEventListener("message", hear);
      dialog.close();
      dialog.remove();
      before?.focus?.({ preventScroll: true });
      resolve();
    };
    addEventListener("message", hear);
    // The bank's question is answered, not escaped.
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.append(frame);
    document.body.append(dialog);
    dialog.showModal();
  });
}

