import { type Answer, postJson } from "~/lib/http/request";
import type { Locale } from "~/lib/locale";
import type { Draft } from "./draft";

export interface WithdrawalReceipt {
  id: string;
  /** RFC 3339. */
  receivedAt: string;
}

/** The same declaration under the same key is received once. */
export function declareWithdrawal(
  draft: Draft,
  language: Locale,
  idempotencyKey: string,
): Promise<Answer<WithdrawalReceipt>> {
  return postJson("/api/withdrawals", {
    headers: { "idempotency-key": idempotencyKey },
    body: { full_name: draft.name, email: draft.email, reference: draft.reference, language },
  });
}
