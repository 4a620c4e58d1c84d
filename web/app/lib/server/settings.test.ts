import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSettings, SettingsFault } from "./settings";

const DEVELOPMENT = { STILLPOINT_ENV: "development" };
const PRODUCTION = {
  CONTENT_READ_TOKEN: "readers-0123456789abcdef01234567",
  STRIPE_PUBLISHABLE_KEY: "pk_live_0123456789abcdef",
  PUBLIC_URL: "https://stillpoint.example",
};

function faultsOf(env: Record<string, string>): string[] {
  try {
    readSettings(env);
    return [];
  } catch (fault) {
    return String((fault as Error).message).split("\n");
  }
}

describe("settings", () => {
  it("have defaults for development", () => {
    expect(readSettings(DEVELOPMENT)).toMatchObject({ host: "127.0.0.1", port: 3000, stripeJsUrl: null });
  });

  it("report all faults at once", () => {
    const read = () => readSettings({ STILLPOINT_ENV: "production", PORT: "eighty", GRAPHQL_URL: "nowhere" });
    expect(read).toThrow(SettingsFault);
    try {
      read();
    } catch (fault) {
      const lines = String((fault as Error).message).split("\n");
      expect(lines).toHaveLength(4);
    }
  });

  it("treat an empty value as unset", () => {
    expect(readSettings({ ...DEVELOPMENT, STRIPE_JS_URL: "", APPLE_CLIENT_ID: " " })).toMatchObject({
      stripeJsUrl: null,
      social: { apple: null, google: null, facebook: null },
    });
  });

  it("name external sites without a slash at the end", () => {
    const env = {
      THERAPY_APP_URL: "http://localhost:8090/outside/therapy/",
      MARKETING_BASE_URL: "http://localhost:8090/outside/marketing",
      TR_ANALYTICS_SCRIPT_URL: "http://localhost:8090/outside/analytics.js",
    };
    expect(readSettings({ ...DEVELOPMENT, ...env })).toMatchObject({
      therapyAppUrl: "http://localhost:8090/outside/therapy",
      marketingBaseUrl: "http://localhost:8090/outside/marketing",
      trAnalyticsScriptUrl: "http://localhost:8090/outside/analytics.js",
    });
    expect(() => readSettings({ ...DEVELOPMENT, THERAPY_APP_URL: "nowhere" })).toThrow("THERAPY_APP_URL");
  });

  it("enable sign-in providers by their client id", () => {
    const env = { GOOGLE_CLIENT_ID: "g-1", GOOGLE_JS_URL: "http://localhost:8090/google/client", FACEBOOK_APP_ID: "7" };
    expect(readSettings({ ...DEVELOPMENT, ...env }).social).toEqual({
      apple: null,
      google: { clientId: "g-1", scriptUrl: "http://localhost:8090/google/client" },
      facebook: { clientId: "7", scriptUrl: null },
    });
    expect(() => readSettings({ ...DEVELOPMENT, APPLE_JS_URL: "nowhere" })).toThrow("APPLE_JS_URL");
  });

  it("are those of production unless STILLPOINT_ENV is development", () => {
    expect(faultsOf(PRODUCTION)).toEqual([]);
    const unset = ["CONTENT_READ_TOKEN must be set in production", "STRIPE_PUBLISHABLE_KEY must be set in production"];
    expect(faultsOf({})).toEqual(unset);
    expect(faultsOf({ STILLPOINT_ENV: " " })).toEqual(unset);
    expect(faultsOf({ ...PRODUCTION, STILLPOINT_ENV: "staging" })).toEqual([
      "STILLPOINT_ENV must be development or production",
    ]);
  });

  it("exclude public and short secrets in production", () => {
    const source = readFileSync("../services/kit/src/config/public_secrets.rs", "utf8");
    const list = /const PUBLIC_SECRETS: \[&str; \d+\] = \[([^\]]*)\]/.exec(source)?.[1] ?? "";
    const secrets = [...list.matchAll(/"([^"]+)"/g)].map(([, secret]) => secret ?? "");
    expect(secrets).toContain("read-published");
    for (const secret of [...secrets, "a".repeat(31)])
      expect(faultsOf({ ...PRODUCTION, CONTENT_READ_TOKEN: secret }), secret).toHaveLength(1);
    for (const key of ["pk_test_stillpoint", "pk_live_0"])
      expect(faultsOf({ ...PRODUCTION, STRIPE_PUBLISHABLE_KEY: key }), key).toHaveLength(1);
    expect(faultsOf({ ...DEVELOPMENT, CONTENT_READ_TOKEN: "read-published" })).toEqual([]);
  });

  it("read a secret from the file that its variable with _FILE names", () => {
    const file = join(mkdtempSync(join(tmpdir(), "settings-")), "token");
    writeFileSync(file, "readers-0123456789abcdef01234567\n");
    const { CONTENT_READ_TOKEN: token, ...others } = PRODUCTION;
    const read = readSettings({ ...others, CONTENT_READ_TOKEN_FILE: file });
    expect(read.contentReadToken).toBe("readers-0123456789abcdef01234567");
    writeFileSync(file, `${token},writers-0123456789abcdef01234567\n`);
    expect(readSettings({ ...others, CONTENT_READ_TOKEN_FILE: file }).contentReadToken).toBe(token);
    expect(faultsOf({ ...others, CONTENT_READ_TOKEN: `${token},short` })).toHaveLength(1);
    expect(faultsOf({ ...others, CONTENT_READ_TOKEN: token, CONTENT_READ_TOKEN_FILE: file })).toEqual([
      "CONTENT_READ_TOKEN and CONTENT_READ_TOKEN_FILE are both set; set one of them",
    ]);
    expect(faultsOf({ ...others, CONTENT_READ_TOKEN_FILE: `${file}.missing` })).toEqual([
      "CONTENT_READ_TOKEN_FILE names a file that is not readable",
    ]);
  });

  it("require https for the site in production", () => {
    const fault = ["PUBLIC_URL must be an https:// address in production"];
    expect(faultsOf({ ...PRODUCTION, PUBLIC_URL: "http://stillpoint.example" })).toEqual(fault);
    expect(faultsOf({ ...DEVELOPMENT, PUBLIC_URL: "http://localhost:8080" })).toEqual([]);
  });
});
