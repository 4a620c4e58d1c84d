// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { renderBlock } from "../family-tests/test-harness";
import { samples } from "../samples";
import AppDownloadBox from "./app-download-box";

describe("the app download box", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  it("counts ten minutes down to zero", () => {
    renderBlock(AppDownloadBox, { id: "download" });
    expect(screen.getByRole("timer").textContent).toBe("10:00");
    act(() => vi.advanceTimersByTime(61_000));
    expect(screen.getByRole("timer").textContent).toBe("08:59");
    act(() => vi.advanceTimersByTime(900_000));
    expect(screen.getByRole("timer").textContent).toBe("00:00");
  });

  it("enables its button when both boxes are ticked", () => {
    renderBlock(AppDownloadBox, { id: "download" });
    const [terms, consent] = screen.getAllByRole("checkbox");
    expect(screen.getByRole("button").getAttribute("aria-disabled")).toBe("true");
    fireEvent.click(terms as HTMLElement);
    expect(screen.queryByRole("link", { name: /Go to the app/ })).toBeNull();
    fireEvent.click(consent as HTMLElement);
    expect(screen.getByRole("link", { name: /Go to the app/ }).getAttribute("href")).toBe(
      "https://www.stillpoint.example/app/",
    );
  });

  it("has no box without a text from content", () => {
    const sample = samples.find(({ id }) => id === "download") as (typeof samples)[number];
    samples.push({ ...sample, id: "wordless", termsLabelHtml: "", consentLabelHtml: "" } as typeof sample);
    renderBlock(AppDownloadBox, { id: "wordless" });
    expect(screen.queryAllByRole("checkbox")).toEqual([]);
    expect(screen.getByRole("link", { name: /Go to the app/ })).toBeDefined();
    samples.pop();
  });

  it.each([
    { name: "one box", words: { consentLabelHtml: "" }, says: "Tick the box to continue." },
    { name: "the other box", words: { termsLabelHtml: "" }, says: "Tick the box to continue." },
    { name: "two boxes", words: {}, says: "Tick both boxes to continue." },
  ])("says why its button is disabled while $name is required", ({ words, says }) => {
    const sample = samples.find(({ id }) => id === "download") as (typeof samples)[number];
    samples.push({ ...sample, id: "asking", ...words } as typeof sample);
    onTestFinished(() => void samples.pop());
    renderBlock(AppDownloadBox, { id: "asking" });
    const why = screen.getByText(says);
    expect(screen.getByRole("button").getAttribute("aria-describedby")).toBe(why.id);
    for (const box of screen.getAllByRole("checkbox")) fireEvent.click(box);
    expect(screen.getByRole("link", { name: /Go to the app/ })).toBeDefined();
    // The hint keeps its space, so nothing moves while a box is ticked.
    expect(screen.getByText(says).className).toContain("invisible");
  });
});
