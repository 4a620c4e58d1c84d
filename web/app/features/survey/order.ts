import { local } from "~/lib/browser/storage";
import { postJson } from "~/lib/http/request";
import type { Locale } from "~/lib/locale";
import { storedTracking } from "~/lib/tracking";
import { invalidateSurvey } from "./survey";
import type { SurveyTerms } from "./survey-url";

export const SURVEY_KEY = "LAST_SURVEY_DATA";
export const ORDER_KEY = "mdOrderId";

/** The survey starts without an order after this time. */
const ORDER_TIMEOUT_MS = 2_500;

export function orderBody(terms: SurveyTerms, locale: Locale) {
  return {
    flow: terms.flow,
    variant: terms.variant,
    ...(terms.abGroup ? { abgroup: terms.abGroup } : {}),
    producttype: terms.productType?.split("-")[0] ?? "",
    lang: locale,
  };
}

/** Opens an order for the survey and stores it. Without an order the survey still works. */
export async function openSurveyOrder(terms: SurveyTerms, locale: Locale, key: string): Promise<void> {
  const answer = await postJson<{ orderid: string }>("/api/survey/orders", {
    timeoutMs: ORDER_TIMEOUT_MS,
    headers: { "idempotency-key": key },
    body: { ...orderBody(terms, locale), ...storedTracking() },
  });
  const orderid = answer.ok ? answer.value.orderid : null;
  if (!orderid) return;
  invalidateSurvey();
  local.set(ORDER_KEY, orderid);
  local.set(SURVEY_KEY, JSON.stringify({ variant: terms.variant, orderid }));
}

export interface StoredSurvey {
  variant: string;
  orderid: string;
}

/** The survey started in this browser. */
export function storedSurvey(): StoredSurvey | null {
  try {
    const stored: unknown = JSON.parse(local.get(SURVEY_KEY) ?? "null");
    if (typeof stored !== "object" || stored === null) return null;
    const { variant, orderid } = stored as Record<string, unknown>;
    return variant !== undefined && orderid ? { variant: String(variant), orderid: String(orderid) } : null;
  } catch {
    return null;
  }
}
