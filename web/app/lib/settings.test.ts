import { describe, expect, it } from "vitest";
import { readSettings, SettingsFault } from "./settings";

describe("settings", () => {
  it("have defaults for development", () => {
    expect(readSettings({})).toMatchObject({ host: "127.0.0.1", port: 3000, stripeJsUrl: null });
  });

  it("name all faults at once", () => {
    const read = () => readSettings({ STILLPOINT_ENV: "production", PORT: "eighty", GRAPHQL_URL: "nowhere" });
    expect(read).toThrow(SettingsFault);
    try {
      read();
    } catch (fault) {
      const lines = String((fault as Error).message).split("\n");
      expect(lines).toHaveLength(4);
    }
  });

  it("take an empty value for none", () => {
    expect(readSettings({ STRIPE_JS_URL: "", REDIRECT_HOSTS: "" })).toMatchObject({
      stripeJsUrl: null,
      redirectHosts: [],
    });
    expect(readSettings({ REDIRECT_HOSTS: "a.example, b.example" }).redirectHosts).toEqual(["a.example", "b.example"]);
  });
});
