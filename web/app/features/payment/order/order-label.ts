import { useEffect, useState } from "react";
import { knownCountry, visitorCountry } from "~/lib/country";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { isEuCountry } from "~/lib/links/legal";
import type { OrderView } from "./order-view";

/**
 * Label of the order button. In the EU the law prescribes its wording; elsewhere the page chooses. Only for the
 * browser, after the offer is loaded.
 */
export function useOrderLabel(
  { trialDays, trialFee }: Pick<OrderView, "trialDays" | "trialFee">,
  pageLabel: string | null,
): string {
  const t = useTexts();
  return useLegalOrderLabel(pageLabel ?? t(trialDays > 0 && !trialFee ? "checkout.startTrial" : "checkout.payNow"));
}

/** The page's label, unless it promises a trial that this buyer has used. */
export function labelUnlessTrialUsed(
  pageLabel: string | null,
  promisesTrial: boolean,
  { trialDays }: Pick<OrderView, "trialDays">,
) {
  return promisesTrial && trialDays === 0 ? null : pageLabel;
}

/** `own`, unless the law prescribes a label. */
export function useLegalOrderLabel(own: string): string {
  const t = useTexts();
  return isEuCountry(useCountry()) ? t("checkout.orderToPay") : own;
}

/** Stored since the offer was loaded; requested again only without storage. Empty on the server. */
function useCountry(): string {
  const [country, setCountry] = useState(() => (typeof location === "undefined" ? "" : knownCountry()));
  useEffect(() => {
    let isCurrent = true;
    void visitorCountry().then((known) => isCurrent && setCountry(known));
    return () => {
      isCurrent = false;
    };
  }, []);
  return country;
}
