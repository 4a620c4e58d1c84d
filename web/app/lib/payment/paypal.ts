/** PayPal's script, which draws the button, opens the window and reports the result. */
import { loadGlobal } from "../browser/load-script";
import type { Locale } from "../locale";
import type { ProviderSettings } from "../social";

interface CreateActions {
  subscription: { create: (subscription: object) => Promise<string> };
}

interface ClickActions<Decision> {
  resolve: () => Decision;
  reject: () => Decision;
}

export interface PaypalButtonProps {
  fundingSource?: string;
  style?: object;
  onClick?: <Decision>(data: unknown, actions: ClickActions<Decision>) => Decision;
  createSubscription?: (data: unknown, actions: CreateActions) => Promise<string>;
  onApprove?: (data: { subscriptionID?: string | null }) => void;
  onCancel?: () => void;
  onError?: (fault: unknown) => void;
}

export interface PaypalButtons {
  isEligible: () => boolean;
  render: (container: HTMLElement) => Promise<void>;
  close: () => Promise<void>;
}

export interface Paypal {
  FUNDING: { PAYPAL: string };
  Buttons: (props: PaypalButtonProps) => PaypalButtons;
}

declare global {
  interface Window {
    paypal?: Paypal;
  }
}

const OWN_SCRIPT = "https://www.paypal.com/sdk/js";

export async function paypalFor(settings: ProviderSettings, currency: string, locale: Locale): Promise<Paypal> {
  return loadGlobal(scriptUrl(settings, currency, locale), () => window.paypal);
}

/** Parameters of PayPal's script; subscriptions require `vault`. */
export function scriptUrl({ clientId, scriptUrl }: ProviderSettings, currency: string, locale: Locale): string {
  const url = new URL(scriptUrl ?? OWN_SCRIPT);
  const parameters = { "client-id": clientId, components: "buttons", intent: "subscription", vault: "true", currency };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  url.searchParams.set("locale", paypalLocale(locale));
  return url.href;
}

/** PayPal requires a country, and does not support Azerbaijani. */
const COUNTRIES: Partial<Record<Locale, string>> = {
  ar: "ar_EG",
  az: "en_US",
  da: "da_DK",
  en: "en_US",
  ja: "ja_JP",
  ko: "ko_KR",
  pt: "pt_BR",
};

function paypalLocale(locale: Locale): string {
  return COUNTRIES[locale] ?? `${locale}_${locale.toUpperCase()}`;
}
