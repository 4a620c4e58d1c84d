import { describe, expect, it } from "vitest";
import { readSettings, SettingsFault } from "./settings";

describe("settings", () => {
  it("have defaults for development", () => {
    expect(readSettings({})).toMatchObject({ host: "127.0.0.1", port: 3000, stripeJsUrl: null });
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
    expect(readSettings({ STRIPE_JS_URL: "", APPLE_CLIENT_ID: " " })).toMatchObject({
      stripeJsUrl: null,
      social: { apple: null, google: null, facebook: null },
    });
  });

  it("enable sign-in providers by their client id", () => {
    const env = { GOOGLE_CLIENT_ID: "g-1", GOOGLE_JS_URL: "http://localhost:8090/google/client", FACEBOOK_APP_ID: "7" };
    expect(readSettings(env).social).toEqual({
      apple: null,
      google: { clientId: "g-1", scriptUrl: "http://localhost:8090/google/client" },
      facebook: { clientId: "7", scriptUrl: null },
    });
    expect(() => readSettings({ APPLE_JS_URL: "nowhere" })).toThrow("APPLE_JS_URL");
  });
});
