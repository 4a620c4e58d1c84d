/** The renderer's settings from the environment, read once and checked before it listens. */
import type { Provider, ProviderSettings } from "../social";

export interface Settings {
  host: string;
  port: number;
  /** The gateway's GraphQL, which has pages and prices. */
  graphqlUrl: string;
  /** Opens published content only. */
  contentReadToken: string;
  stripePublishableKey: string;
  /** A script that defines `window.Stripe`; null: Stripe's own. */
  stripeJsUrl: string | null;
  /** A script that defines `window.YooMoneyCheckoutWidget`; null: the widget is not offered. */
  yookassaWidgetUrl: string | null;
  /** A third-party analytics script of Turkish pages, loaded with consent. */
  trAnalyticsScriptUrl: string | null;
  /** The public address for canonical links; null: from the proxy's headers. */
  publicUrl: string | null;
  marketingBaseUrl: string | null;
  /** Address for requests that the site cannot handle. */
  contactEmail: string;
  /** The separate web app of therapy members. */
  therapyAppUrl: string | null;
  /** The external site that signs members in by our token. */
  autologinUrl: string | null;
  /** Sign-in providers by client id; null: not offered. */
  social: Record<Provider, ProviderSettings | null>;
  /** PayPal's client id; null: not offered. */
  paypal: ProviderSettings | null;
  shutdownGraceMs: number;
}

type Variables = Record<string, string | undefined>;

export class SettingsFault extends Error {
  override name = "SettingsFault";
}

const DEVELOPMENT_TOKEN = "read-published";
const DEVELOPMENT_STRIPE_KEY = "pk_test_stillpoint";

/** Throws with all faults at once, one per line. */
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
