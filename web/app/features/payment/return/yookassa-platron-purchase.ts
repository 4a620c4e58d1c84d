import { getJson } from "~/lib/http/request";

const RUSSIAN: readonly string[] = ["yookassa", "platron"];

interface Held {
  product: string;
  status: string;
  provider: string;
}

/** Whether the member has by now what Russian providers took the money for. */
export async function askForRussian(product: string | null): Promise<boolean> {
  const answer = await getJson<{ subscriptions: Held[] }>("/api/subscriptions");
  if (!answer.ok) return false;
  const isPaid = (held: Held) =>
    held.status === "active" && RUSSIAN.includes(held.provider) && (product === null || held.product === product);
  return answer.value.subscriptions.some(isPaid);
}
