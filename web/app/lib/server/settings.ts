/** The renderer's settings from the environment, read once and checked before it listens. */
import { readFileSync } from "node:fs";
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

/** Public values of this repository that a length does not exclude. A test compares them with the list of `kit::config`. */
const PUBLIC_SECRETS = [DEVELOPMENT_TOKEN, DEVELOPMENT_STRIPE_KEY, "stillpoint-quotes-in-development"];
/** The same minimum as in the gateway. */
const OWN_CHARACTERS_MIN = 32;
/** For keys that a provider issues: catches typos. */
const ISSUED_CHARACTERS_MIN = 16;

/** Throws with all faults at once, one per line. */
export function readSettings(env: Variables): Settings {
  const { faults, text, secret, whole, url, publicUrl, provider } = readerOf(env);
  const read: Settings = {
    host: text("HOST", "127.0.0.1"),
    port: whole("PORT", 3000, 65_535),
    graphqlUrl: url("GRAPHQL_URL", "http://127.0.0.1:8080/graphql") ?? "",
    contentReadToken: secret("CONTENT_READ_TOKEN", DEVELOPMENT_TOKEN, OWN_CHARACTERS_MIN),
    stripePublishableKey: secret("STRIPE_PUBLISHABLE_KEY", DEVELOPMENT_STRIPE_KEY, ISSUED_CHARACTERS_MIN),
    stripeJsUrl: url("STRIPE_JS_URL", null),
    yookassaWidgetUrl: url("YOOKASSA_WIDGET_URL", null),
    trAnalyticsScriptUrl: url("TR_ANALYTICS_SCRIPT_URL", null),
    publicUrl: publicUrl("PUBLIC_URL"),
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

/** Reads variables and collects their faults. An empty variable counts as unset. */
function readerOf(env: Variables) {
  const faults: string[] = [];
  const text = (name: string, fallback: string) => env[name]?.trim() || fallback;
  // A missing variable must not enable values that are public in this repository.
  const environment = text("STILLPOINT_ENV", "production");
  const isProduction = environment !== "development";
  if (isProduction && environment !== "production") faults.push("STILLPOINT_ENV must be development or production");

  /** The variable, or the file that `<name>_FILE` names; null: a fault was recorded. */
  const secretText = (name: string): string | null => {
    const variable = `${name}_FILE`;
    const path = text(variable, "");
    if (path === "") return text(name, "");
    if (text(name, "") !== "") {
      faults.push(`${name} and ${variable} are both set; set one of them`);
      return null;
    }
    try {
      return readFileSync(path, "utf8").trimEnd();
    } catch {
      faults.push(`${variable} names a file that is not readable`);
      return null;
    }
  };
  const secret = (name: string, development: string, charactersMin: number) => {
    const value = secretText(name);
    if (value === null) return "";
    // Comma separated while one value replaces another, as in the gateway. The first one is sent.
    const values = value.split(",").map((one) => one.trim());
    const fault = values.map((one) => secretFault(one, charactersMin)).find((found) => found !== null) ?? null;
    if (isProduction && fault !== null) faults.push(`${name} ${fault}`);
    return values[0] || development;
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
  const publicUrl = (name: string) => {
    const value = url(name, null);
    if (isProduction && value !== null && !/^https:\/\//i.test(value))
      faults.push(`${name} must be an https:// address in production`);
    return value;
  };
  const provider = (clientId: string, script: string) => {
    const scriptUrl = url(script, null);
    return env[clientId]?.trim() ? { clientId: text(clientId, ""), scriptUrl } : null;
  };
  return { faults, text, secret, whole, url, publicUrl, provider };
}

function secretFault(value: string, charactersMin: number): string | null {
  if (value === "") return "must be set in production";
  if (PUBLIC_SECRETS.includes(value)) return "holds a public development value; set another one in production";
  return value.length < charactersMin ? `must have at least ${charactersMin} characters in production` : null;
}
