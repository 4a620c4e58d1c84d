/** Reports the survey's order to the services. The server checks the session and the payment. */
import { track } from "../analytics";
import { local } from "../browser/storage";
import { getJson, postJson } from "../http/request";
import type { User } from "../session/session";

const ORDER_KEY = "mdOrderId";
const SURVEY_KEY = "LAST_SURVEY_DATA";

/** Survey variants with a playlist. */
const PLAYLIST_VARIANTS: readonly number[] = [79, 80];

/** The customer who paid: the member or a company. */
export type OrderCustomer = "follow-up" | "b2b";

/** User and order of the last claim: one per page. */
let lastClaim: string | null = null;
/** Orders with a running report: each is reported once. */
const sending = new Set<string>();

/** Claims the order of an anonymous survey for the signed-in member. */
export async function claimSurveyOrder({ user_id }: User): Promise<void> {
  const orderid = local.get(ORDER_KEY);
  const claim = `${user_id} ${orderid}`;
  if (!orderid || lastClaim === claim) return;
  lastClaim = claim;
  const answer = await postJson("/specialprogram/idupdate", { body: { orderid, userid: user_id } });
  track(answer.ok ? "id-update" : "id-update-error");
}

/** Reports the order as paid, and removes it. Without an answer it stays for the next page. */
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

/** Creates the playlist of the stored survey after a purchase, once per order on the server. */
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

/** Success pages of coaching and of companies. */
export function customerOf(pathname: string): OrderCustomer | null {
  if (/\/success[^/]*\/(.*\/)?(b2b|business)\b/i.test(pathname)) return "b2b";
  return /\/success\/coaching\//.test(pathname) ? "follow-up" : null;
}
