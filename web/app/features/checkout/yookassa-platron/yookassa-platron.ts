import type { Campaign } from "~/features/payment/offer/offer";

/** Where cards of other countries are of no use. */
const COUNTRIES: readonly string[] = ["RU", "BY"];

/** Where somebody with a card of Russia can pay: elsewhere, or here in the provider's own form. */
export interface YookassaPlatronOffer {
  redirectUrl: string | null;
  widgetToken: string | null;
  hasSubscription: boolean;
  /** No way to pay was found, and one may be when it is asked for again. */
  isUnreachable: boolean;
}

export function isYookassaPlatronCountry(country: string): boolean {
  return COUNTRIES.includes(country);
}

/** None where cards are taken. What the server offers counts as much as what this browser believes: a proxy may know better. */
export function yookassaPlatronOffer({ providers }: Campaign, country: string): YookassaPlatronOffer | null {
  const { yookassa, platron, unavailable = [] } = providers ?? {};
  if (!isYookassaPlatronCountry(country) && !yookassa && !platron) return null;
  const redirectUrl = platron?.redirect_url ?? null;
  const widgetToken = yookassa?.confirmation_token ?? null;
  return {
    redirectUrl,
    widgetToken,
    hasSubscription: yookassa?.has_subscription ?? false,
    isUnreachable: !redirectUrl && !widgetToken && unavailable.length > 0,
  };
}
