export const TICK_MS = 4_000;
/** Part of each tick in which the message is shown. */
export const MESSAGE_MS = 3_000;
export const REDIRECT_AFTER_MS = 3_000;

const FULL = 100;
const JITTER = 4;

/** The next value: an equal share per message, with some randomness. `chance` is in [0, 1). */
export function advance(progress: number, messages: number, chance: number): number {
  return Math.min(FULL, Math.round(progress + FULL / Math.max(1, messages) + (chance - 0.5) * 2 * JITTER));
}

export function isComplete(progress: number): boolean {
  return progress >= FULL;
}

/** The next page, with the order and its e-mail address, if there is an order. */
export function destination(path: string, query: URLSearchParams): string {
  const orderid = query.get("orderid");
  if (!orderid) return path;
  const carried = new URLSearchParams({ orderid });
  const email = query.get("email");
  if (email) carried.set("email", email);
  return `${path}?${carried}`;
}
