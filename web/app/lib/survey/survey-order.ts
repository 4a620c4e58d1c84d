/** The order a survey opened, as later pages tell the services of it. What counts is who is signed in and what they have paid. */
import { track } from "../analytics";
import { local } from "../browser/storage";
import { getJson, postJson } from "../http/request";
import type { User } from "../session/session";

const ORDER_KEY = "mdOrderId";
const SURVEY_KEY = "LAST_SURVEY_DATA";

/** Surveys whose order gets a playlist. */
const PLAYLIST_VARIANTS: readonly number[] = [79, 80];

/** Whose payment it was: a person's own, or a company's. */
export type OrderCustomer = "follow-up" | "b2b";

/** Once per page life: of whom which order. */
let lastClaim: string | null = null;
/** On its way: an order is told of once. */
const sending = new Set<string>();

/** Somebody signed in goes on with the order they began as nobody. */
export async function claimSurveyOrder({ user_id }: User): Promise<void> {
  const orderid = local.get(ORDER_KEY);
  const claim = `${user_id} ${orderid}`;
  if (!orderid || lastClaim === claim) return;
  lastClaim = claim;
  const answer = await postJson("/specialprogram/idupdate", { body: { orderid, userid: user_id } });
  track(answer.ok ? "id-update" : "id-update-error");
}

/** Tells that it is paid, and forgets it. Without an answer it stays, so that the next page can tell. */
export async function reportOrderPaid(customerid: OrderCustomer, user: User | null): Promise<void> {
  const orderid = local.get(ORDER_KEY);
  if (!orderid || sending.has(orderid)) return;
  sending.add(orderid);
  const answer = await postJson("/specialprogram/payment", {
    body: { orderid, customerid, status: 1, email: user?.email ?? "" },
  });
  sending.delete(orderid);
  const isAnswered = answer.ok || (answer.problem.status >= 400 && answer.problem.status < 500);
  if (isAnswered && local.get(ORDER_KEY) === orderid) local.remove(ORDER_KEY);
}

/** After any purchase: the stored survey gets its playlist, if it is one that has one. The server makes one for each order. */
export async function createSurveyPlaylist(): Promise<void> {
  const stored = readSurvey();
  if (!stored || !PLAYLIST_VARIANTS.includes(Number(stored.variant))) return;
  await getJson(`/specialprogram/createsurveyplaylist?${new URLSearchParams({ orderid: String(stored.orderid) })}`);
}

function readSurvey(): { variant?: unknown; orderid?: unknown } | null {
  try {
    const stored: unknown = JSON.parse(local.get(SURVEY_KEY) ?? "null");
    return typeof stored === "object" ? stored : null;
  } catch {
    return null;
  }
}

/** The pages after a purchase of coaching, and those of companies. */
export function customerOf(pathname: string): OrderCustomer | null {
  if (/\/success[^/]*\/(.*\/)?(b2b|business)\b/i.test(pathname)) return "b2b";
  return /\/success\/coaching\//.test(pathname) ? "follow-up" : null;
}
