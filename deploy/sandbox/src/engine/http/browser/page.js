// Shared by all windows: calls to the sandbox, and messages to the page that opened the window.

export const asked = Object.fromEntries(new URLSearchParams(location.search));
export const byId = (id) => document.getElementById(id);

export async function get(path) {
  const response = await fetch(path);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
}

export async function post(path, body) {
  const response = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
}

// Whether there is such a page.
export function sendToOpener(message) {
  const page = asked.origin && (window.opener ?? (window.parent === window ? null : window.parent));
  if (!page) return false;
  page.postMessage(message, asked.origin);
  if (window.opener) window.close();
  return true;
}

export function lock(isLocked) {
  for (const control of document.querySelectorAll("button, select, input")) control.disabled = isLocked;
}
