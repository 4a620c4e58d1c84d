import type { Campaign } from "~/features/payment/offer/offer";

/** Countries whose cards only YooKassa and Platron can charge. */
const COUNTRIES: readonly string[] = ["RU", "BY"];

/** What YooKassa and Platron offer: a payment page, or a widget on this page. */
export interface YookassaPlatronOffer {
  redirectUrl: string | null;
  widgetToken: string | null;
  hasSubscription: boolean;
  /** No provider answered; a reload may find one. */
  isUnreachable: boolean;
}

export function isYookassaPlatronCountry(country: string): boolean {
  return COUNTRIES.includes(country);
}

/**
 * Null: cards are charged by Stripe. The server's offer counts as much as the browser's country, because proxies hide
 * countries.
 */
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
