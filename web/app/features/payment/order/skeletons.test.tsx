// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { SummaryPlaceholder, SummarySkeleton } from "./skeletons";

const draw = (children: ReactNode) =>
  render(
    <TextsProvider locale="en" catalogue={catalogues.en}>
      {children}
    </TextsProvider>,
  );

describe("the skeleton of a summary", () => {
  afterEach(cleanup);

  it("reserves space for a free and a paid trial", () => {
    draw(<SummarySkeleton title="Annual plan" hasTrial />);
    expect(screen.getByText("How your free trial works")).toBeDefined();
    expect(screen.getByText("How your trial works")).toBeDefined();
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("reserves none without a trial", () => {
    draw(<SummarySkeleton title="Monthly plan" />);
    expect(screen.queryByRole("list", { hidden: true })).toBeNull();
  });

  it("stays behind the order invisible, unannounced and unreachable", () => {
    draw(<SummaryPlaceholder title="Annual plan" />);
    const room = screen.getByText("Annual plan").closest("[inert]");
    expect(room?.className).toContain("invisible");
  });
});
