// The 3-D Secure challenge: its result goes to the sandbox, then to the page of the product or its return URL.

const asked = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const status = document.getElementById("status");
const buttons = { succeeded: document.getElementById("complete"), failed: document.getElementById("fail") };

async function answer(outcome) {
  for (const button of Object.values(buttons)) button.disabled = true;
  status.textContent = "One moment…";
  const form = new URLSearchParams({ source: asked.source, client_secret: asked.client_secret, key: asked.key, outcome });
  try {
    const response = await fetch(new URL("../v1/3ds2/challenge_complete", location.href), { method: "POST", body: form });
    const body = await response.json();
    if (!response.ok) throw new Error(body.error.message);
    leave(outcome);
  } catch (error) {
    status.textContent = `That did not work: ${error.message}`;
    for (const button of Object.values(buttons)) button.disabled = false;
  }
}

function leave(outcome) {
  if (asked.origin) {
    parent.postMessage({ type: "challengeDone" }, asked.origin);
    return;
  }
  const kind = asked.source.startsWith("seti_") ? "setup_intent" : "payment_intent";
  const back = new URL(asked.return_url);
  back.searchParams.set(kind, asked.source);
  back.searchParams.set(`${kind}_client_secret`, asked.client_secret);
  back.searchParams.set("redirect_status", outcome);
  location.replace(back);
}

for (const [outcome, button] of Object.entries(buttons)) button.addEventListener("click", () => answer(outcome));
if (asked.origin) parent.postMessage({ type: "dialogReady" }, asked.origin);
buttons.succeeded.focus();
