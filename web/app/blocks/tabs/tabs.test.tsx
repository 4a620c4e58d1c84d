// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { renderBlock } from "../family-tests/test-harness";
import Tabs from "./tabs";

describe("tabs", () => {
  afterEach(cleanup);

  it("show icon, title, details and picture of the selected one", () => {
    const { container } = renderBlock(Tabs, { id: "tabs" });
    fireEvent.click(screen.getByRole("tab", { name: "Focus" }));
    const panel = within(screen.getByRole("tabpanel"));
    expect(panel.getByRole("heading").textContent).toBe("Begin the hard thing");
    expect(panel.getAllByRole("listitem")).toHaveLength(3);
    expect(container.querySelector("[role=tabpanel] use")?.getAttribute("href")).toContain("#feature-focus");
    expect(container.querySelector("[role=tabpanel] img")?.getAttribute("src")).toBe("/art/cover/tab-focus.svg");
  });

  it("have no bar for a single one", () => {
    renderBlock(Tabs, { id: "tabs-single" });
    expect(screen.queryByRole("tablist")).toBeNull();
    expect(screen.getByRole("heading").textContent).toBe("Fall asleep without trying");
  });

  it.each([
    ["ltr", "ArrowRight", "ArrowLeft"],
    ["rtl", "ArrowLeft", "ArrowRight"],
  ])("are chosen by keyboard where one reads %s, and come round", (direction, forward, backward) => {
    renderBlock(Tabs, { id: "tabs" });
    const bar = screen.getByRole("tablist", { name: "What helps, and when" });
    bar.style.direction = direction;
    const tabs = screen.getAllByRole("tab");
    const selected = () => tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
    const press = (key: string) => fireEvent.keyDown(document.activeElement ?? bar, { key });
    tabs[0]?.focus();
    press(forward);
    expect([selected(), document.activeElement]).toEqual([1, tabs[1]]);
    expect(screen.getByRole("tabpanel").getAttribute("aria-labelledby")).toBe(tabs[1]?.id);
    press(backward);
    press(backward);
    expect([selected(), document.activeElement]).toEqual([tabs.length - 1, tabs.at(-1)]);
  });
});
