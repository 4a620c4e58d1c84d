import { getJson } from "~/lib/http/request";

const PROVIDERS: readonly string[] = ["yookassa", "platron"];

interface OwnSubscription {
  product: string;
  status: string;
  provider: string;
}

/** Whether the member has an active subscription from YooKassa or Platron. Null: no response. */
export async function hasYookassaPlatronPurchase(product: string | null): Promise<boolean | null> {
  const answer = await getJson<{ subscriptions: OwnSubscription[] }>("/api/subscriptions");
  if (!answer.ok) return null;
  const isPaid = (subscription: OwnSubscription) =>
    subscription.status === "active" &&
    PROVIDERS.includes(subscription.provider) &&
    (product === null || subscription.product === product);
  return answer.value.subscriptions.some(isPaid);
}
