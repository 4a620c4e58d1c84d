// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { local } from "~/lib/browser/storage";
import { renderBlock, stubBrowser } from "../family-tests/test-harness";
import { samples } from "../samples";
import MeditationSampleCollection from "./meditation-sample-collection";

type Collection = Parameters<typeof MeditationSampleCollection>[0]["block"];

const own = samples.find(({ id }) => id === "samples") as Collection;

describe("samples of the library", () => {
  const asked = vi.fn();

  beforeEach(() => {
    stubBrowser();
    local.remove("surveySelectedCategory");
    asked.mockReset();
  });
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  function answer(response: () => Response) {
    vi.stubGlobal("fetch", async (_: string, { body }: RequestInit) => {
      asked(JSON.parse(String(body)));
      return response();
    });
  }

  const rain = () => Response.json({ data: { items: [{ title: "Rain on a tent" }] } });

  function show(change: Partial<Collection>) {
    renderBlock((() => <MeditationSampleCollection block={{ ...own, ...change }} />) as never, { id: "samples" });
  }

  it("are the block's own without a category", () => {
    answer(rain);
    show({ category: null });
    expect(screen.getByRole("heading", { name: "Deep focus" })).toBeTruthy();
    expect(asked).not.toHaveBeenCalled();
  });

  it("are those of its category", async () => {
    answer(rain);
    show({ category: 102 });
    await screen.findByRole("heading", { name: "Rain on a tent" });
    expect(screen.queryByRole("heading", { name: "Deep focus" })).toBeNull();
    expect(asked).toHaveBeenCalledWith({ lang: "en", category: 102 });
  });

  it("are those of the visitor's category", async () => {
    local.set("surveySelectedCategory", "103");
    answer(rain);
    show({ category: 102 });
    await screen.findByRole("heading", { name: "Rain on a tent" });
    expect(asked).toHaveBeenCalledWith({ lang: "en", category: 103 });
  });

  it("are its own when the category cannot be loaded", async () => {
    answer(() => new Response("down", { status: 502 }));
    show({ category: 102 });
    await screen.findByRole("heading", { name: "Deep focus" });
  });
});
