// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { renderBlock } from "../family-tests/test-harness";
import PlanList from "./plan-list";

const show = () => renderBlock(PlanList, { id: "plans" });

describe("choosing a plan", () => {
  afterEach(cleanup);

  it("preselects the best one, with its payment page", () => {
    show();
    expect(screen.getByRole("radio", { name: /Annual/ })).toHaveProperty("checked", true);
    expect(screen.getByRole("link", { name: "Choose annual" }).getAttribute("href")).toBe("/en/payment/annual/");
  });

  it("links to the selected plan", () => {
    show();
    fireEvent.click(screen.getByRole("radio", { name: /Monthly/ }));
    expect(screen.getByRole("link", { name: "Choose monthly" }).getAttribute("href")).toBe("/en/payment/monthly/");
    expect(screen.queryByRole("link", { name: "Choose annual" })).toBeNull();
  });

  it("shows the total price", () => {
    show();
    expect(screen.getByText(/7 days free, then/).textContent).toBe("7 days free, then $69.99 every 12 months");
  });
});
