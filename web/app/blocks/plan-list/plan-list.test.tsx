// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, describe, expect, it } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { samples } from "../samples";
import PlanList from "./plan-list";
import { presentPlanList } from "./present.server";

function show() {
  const block = samples.find((sample) => sample.__typename === "PlanList");
  if (!block) throw new Error("There is no sample plan list");
  const view = presentPlanList(block, { locale: "en", template: "Home" });
  const router = createMemoryRouter([{ path: "*", element: <PlanList block={view} /> }], { initialEntries: ["/en/"] });
  render(
    <TextsProvider locale={"en"} catalogue={catalogues.en}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
}

describe("choosing a plan", () => {
  afterEach(cleanup);

  it("starts at the best one and leads to its payment page", () => {
    show();
    expect(screen.getByRole("radio", { name: /Annual/ })).toHaveProperty("checked", true);
    expect(screen.getByRole("link", { name: "Choose annual" }).getAttribute("href")).toBe("/en/payment/annual/");
  });

  it("leads where the choice leads", () => {
    show();
    fireEvent.click(screen.getByRole("radio", { name: /Monthly/ }));
    expect(screen.getByRole("link", { name: "Choose monthly" }).getAttribute("href")).toBe("/en/payment/monthly/");
    expect(screen.queryByRole("link", { name: "Choose annual" })).toBeNull();
  });

  it("tells the whole price", () => {
    show();
    expect(screen.getByText(/7 days free, then/).textContent).toBe("7 days free, then $69.99 every 12 months");
  });
});
