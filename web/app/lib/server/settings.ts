/** What the renderer is told from outside, read once and checked before it listens. */
import type { Provider, ProviderSettings } from "../social";

export interface Settings {
  host: string;
  port: number;
  /** Where pages and prices come from. */
  graphqlUrl: string;
  /** Opens published content only. */
  contentReadToken: string;
  stripePublishableKey: string;
  /** A script that defines `window.Stripe`; unset: the provider's own. */
  stripeJsUrl: string | null;
  /** A script that defines `window.YooMoneyCheckoutWidget`; unset: YooKassa's form is not offered. */
  yookassaWidgetUrl: string | null;
  /** A script of somebody else's that counts visits to Turkish pages, for those who agreed. */
  trAnalyticsScriptUrl: string | null;
  /** Where the visitor's address bar points when no proxy header says so; for canonical links. */
  publicUrl: string | null;
  marketingBaseUrl: string | null;
  /** Where people are sent for what the site cannot do for them. */
  contactEmail: string;
  /** The separate web app members of therapy continue in. */
  therapyAppUrl: string | null;
  /** The place outside that signs members in by a token of ours. */
  autologinUrl: string | null;
  /** Who may say who somebody is, each with its public id; null: its button is not shown. */
  social: Record<Provider, ProviderSettings | null>;
  /** Who we are to PayPal; null: its button is not shown. */
  paypal: ProviderSettings | null;
  shutdownGraceMs: number;
}

type Variables = Record<string, string | undefined>;

export class SettingsFault extends Error {
  override name = "SettingsFault";
}

const DEVELOPMENT_TOKEN = "read-published";
const DEVELOPMENT_STRIPE_KEY = "pk_test_stillpoint";

/** All faults at once, one per line. */
export function readSettings(env: Variables): Settings {
  const faults: string[] = [];
  const production = env.STILLPOINT_ENV === "production";

  const text = (name: string, fallback: string) => env[name]?.trim() || fallback;
  const required = (name: string, development: string) => {
    if (production && !env[name]?.trim()) faults.push(`${name} must be set in production`);
    return text(name, development);
  };
  const whole = (name: string, fallback: number, most: number) => {
    const value = Number(text(name, String(fallback)));
    if (!Number.isInteger(value) || value < 0 || value > most)
      faults.push(`${name} must be a number from 0 to ${most}`);
    return value;
  };
  const url = (name: string, fallback: string | null) => {
    const value = env[name]?.trim() || fallback;
    if (value !== null && !URL.canParse(value)) faults.push(`${name} must be an absolute URL`);
    return value?.replace(/\/$/, "") ?? null;
  };
  const provider = (clientId: string, script: string) => {
    const scriptUrl = url(script, null);
    return env[clientId]?.trim() ? { clientId: text(clientId, ""), scriptUrl } : null;
  };

  const read: Settings = {
    host: text("HOST", "127.0.0.1"),
    port: whole("PORT", 3000, 65_535),
    graphqlUrl: url("GRAPHQL_URL", "http://127.0.0.1:8080/graphql") ?? "",
    contentReadToken: required("CONTENT_READ_TOKEN", DEVELOPMENT_TOKEN),
    stripePublishableKey: required("STRIPE_PUBLISHABLE_KEY", DEVELOPMENT_STRIPE_KEY),
    stripeJsUrl: url("STRIPE_JS_URL", null),
    yookassaWidgetUrl: url("YOOKASSA_WIDGET_URL", null),
    trAnalyticsScriptUrl: url("TR_ANALYTICS_SCRIPT_URL", null),
    publicUrl: url("PUBLIC_URL", null),
    marketingBaseUrl: url("MARKETING_BASE_URL", null),
    contactEmail: text("CONTACT_EMAIL", "hello@stillpoint.example"),
    therapyAppUrl: url("THERAPY_APP_URL", null),
    autologinUrl: url("AUTOLOGIN_URL", null),
    social: {
      apple: provider("APPLE_CLIENT_ID", "APPLE_JS_URL"),
      google: provider("GOOGLE_CLIENT_ID", "GOOGLE_JS_URL"),
      facebook: provider("FACEBOOK_APP_ID", "FACEBOOK_JS_URL"),
    },
    paypal: provider("PAYPAL_CLIENT_ID", "PAYPAL_JS_URL"),
    shutdownGraceMs: whole("SHUTDOWN_GRACE_SECS", 10, 600) * 1000,
  };
  if (faults.length > 0) throw new SettingsFault(faults.join("\n"));
  return read;
}
