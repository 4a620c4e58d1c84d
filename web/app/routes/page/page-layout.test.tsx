// @vitest-environment jsdom
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { act } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToPipeableStream } from "react-dom/server";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SectionView } from "~/blocks/types";

const sections = [
  {
    __typename: "Heading",
    id: "words",
    text: "Words.",
    tag: "h2",
    sub: null,
    level: null,
    direction: null,
    color: null,
  },
] as SectionView[];

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  // Nothing is visible or idle, so the block is not hydrated.
  const Blind = class {
    observe() {}
    disconnect() {}
  };
  vi.stubGlobal("IntersectionObserver", Blind);
  vi.stubGlobal("requestIdleCallback", () => 0);
});
afterEach(() => void vi.unstubAllGlobals());

/** A fresh copy of the modules, as server and browser have. */
async function arranged(load: () => Promise<unknown>) {
  vi.resetModules();
  vi.doMock("~/blocks/registry", () => ({ registry: { Heading: load } }));
  const { PageLayout } = await import("./page-layout");
  return () => <PageLayout arrangement="stack" sections={sections} />;
}

async function serverHtml(): Promise<string> {
  const draw = await arranged(() => import("~/blocks/heading/heading"));
  const browser = globalThis.document;
  vi.stubGlobal("document", undefined);
  const html = await new Promise<string>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(draw(), {
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => resolve(text(pipe(new PassThrough()))),
      onError: reject,
    });
  });
  vi.stubGlobal("document", browser);
  return html;
}

it("a re-rendered page keeps the HTML of blocks that are not hydrated", async () => {
  const page = document.body.appendChild(document.createElement("div"));
  page.innerHTML = await serverHtml();
  expect(page.textContent).toBe("Words.");
  const draw = await arranged(() => new Promise(() => undefined));
  const root = await act(() => hydrateRoot(page, draw()));
  await act(() => root.render(draw()));
  expect(page.textContent).toBe("Words.");
  await act(() => root.unmount());
});
