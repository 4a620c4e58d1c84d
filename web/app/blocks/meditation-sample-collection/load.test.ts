import { afterEach, describe, expect, it, vi } from "vitest";
import { chosenCategory, loadSamples } from "./load";

describe("the category of samples", () => {
  it.each([
    { stored: null, ofBlock: null, category: 101 },
    { stored: null, ofBlock: 102, category: 102 },
    { stored: "103", ofBlock: 102, category: 103 },
    { stored: "sleep", ofBlock: null, category: 101 },
  ])("is $category with $stored stored and $ofBlock in the block", ({ stored, ofBlock, category }) => {
    expect(chosenCategory(stored, ofBlock)).toBe(category);
  });
});

describe("the samples", () => {
  afterEach(() => void vi.unstubAllGlobals());

  it("are requested by language and category", async () => {
    const fetch = vi.fn(async () => Response.json({ data: { items: [{ title: "Rain", subTitle: "3 min" }] } }));
    vi.stubGlobal("fetch", fetch);
    expect(await loadSamples("de", null)).toEqual([
      { title: "Rain", subTitle: "3 min", image: null, popoverText: null, audioUrl: null },
    ]);
    const [path, request] = fetch.mock.calls[0] as unknown as [string, RequestInit];
    expect(path).toBe("/external/samples");
    expect(JSON.parse(String(request.body))).toEqual({ lang: "de", category: 101 });
  });

  it("are empty when they cannot be loaded", async () => {
    vi.stubGlobal("fetch", async () => new Response("down", { status: 502 }));
    expect(await loadSamples("de", null)).toBeNull();
  });
});
