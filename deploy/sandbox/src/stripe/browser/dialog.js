// A page of the sandbox in a dialog over the site's page. Its messages are received until it is closed.

function openDialog({ title, page, asked, onMessage, onEscape = () => {} }) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-label", title);
  Object.assign(dialog.style, { border: "0", padding: "0", borderRadius: "8px", width: "min(400px, 92vw)", height: "min(440px, 92vh)", overflow: "hidden", background: "#fff", boxShadow: "0 12px 48px rgb(0 0 0 / 35%)" });
  const frame = document.createElement("iframe");
  framesMade += 1;
  frame.name = `__privateStripeFrame${framesMade}`;
  frame.title = title;
  Object.assign(frame.style, { border: "0", width: "100%", height: "100%", display: "block", colorScheme: "light only" });
  frame.src = `${FRAMES}${page}#${new URLSearchParams({ ...asked, origin: location.origin })}`;

  const before = document.activeElement;
  const hear = (event) => {
    if (event.origin !== SANDBOX_ORIGIN || event.source !== frame.contentWindow) return;
    if (event.data?.type === "dialogReady") frame.focus();
    else onMessage(event.data);
  };
  addEventListener("message", hear);
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    onEscape();
  });
  dialog.append(frame);
  document.body.append(dialog);
  dialog.showModal();

  return function close() {
    removeEventListener("message", hear);
    dialog.close();
    dialog.remove();
    before?.focus?.({ preventScroll: true });
  };
}

