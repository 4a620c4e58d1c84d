import { useEffect, useState } from "react";
import { knownCountry, visitorCountry } from "~/lib/country";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { isEuCountry } from "~/lib/links/legal";
import type { OrderView } from "./order-view";

/**
 * What the button says that orders. Where the law of the Union holds, its words: a button that says anything softer binds
 * nobody. Elsewhere the page's own. Only for what is drawn in the browser, after the offer.
 */
export function useOrderLabel(
  { trialDays, trialFee }: Pick<OrderView, "trialDays" | "trialFee">,
  own: string | null,
): string {
  const t = useTexts();
  return useLegalOrderLabel(own ?? t(trialDays > 0 && !trialFee ? "checkout.startTrial" : "checkout.payNow"));
}

/** The page's own words, unless they promise a trial that this buyer has used: then today is paid for. */
export function labelUnlessTrialUsed(
  own: string | null,
  promisesTrial: boolean,
  { trialDays }: Pick<OrderView, "trialDays">,
) {
  return promisesTrial && trialDays === 0 ? null : own;
}

/** `own`, unless the law has words for it. */
export function useLegalOrderLabel(own: string): string {
  const t = useTexts();
  return isEuCountry(useCountry()) ? t("checkout.orderToPay") : own;
}

/** Known since the offer was asked for; asked again only where nothing can be stored. On the server nobody's. */
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
