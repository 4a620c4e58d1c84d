export const TICK_MS = 4_000;
/** Of every tick, for so long a message is shown; the rest is a breath. */
export const MESSAGE_MS = 3_000;
export const REDIRECT_AFTER_MS = 3_000;

const FULL = 100;
const JITTER = 4;

/** The next step: an equal share for each message, and a little by chance so that it looks like work. `chance` is in [0, 1). */
export function advance(progress: number, messages: number, chance: number): number {
  return Math.min(FULL, Math.round(progress + FULL / Math.max(1, messages) + (chance - 0.5) * 2 * JITTER));
}

export function isComplete(progress: number): boolean {
  return progress >= FULL;
}

/** Where it leads on, with the order and the address it is for, if there is an order. */
export function destination(path: string, query: URLSearchParams): string {
  const orderid = query.get("orderid");
  if (!orderid) return path;
  const carried = new URLSearchParams({ orderid });
  const email = query.get("email");
  if (email) carried.set("email", email);
  return `${path}?${carried}`;
}
