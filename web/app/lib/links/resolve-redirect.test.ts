import { afterEach, describe, expect, it, vi } from "vitest";
import { resolveRedirect } from "./resolve-redirect";

afterEach(() => vi.unstubAllGlobals());

describe("the target of a redirect parameter", () => {
  it("is the gateway's answer", async () => {
    const fetched = vi.fn(async (_: string) => Response.json({ to: "/en/coach/" }));
    vi.stubGlobal("fetch", fetched);
    expect(await resolveRedirect("redirectPage", "/en/coach/?a=b&c")).toBe("/en/coach/");
    expect(fetched.mock.calls[0]?.[0]).toBe("/api/redirects?parameter=redirectPage&to=%2Fen%2Fcoach%2F%3Fa%3Db%26c");
  });

  it.each([
    ["it says nowhere", async () => Response.json({ to: null })],
    ["it refuses", async () => Response.json({ code: "VALIDATION_FAILED" }, { status: 422 })],
    ["it is silent", async () => Promise.reject(new TypeError("Failed to fetch"))],
  ])("is null when %s", async (_, answer) => {
    vi.stubGlobal("fetch", answer);
    expect(await resolveRedirect("url", "https://evil.example/")).toBeNull();
  });
});
