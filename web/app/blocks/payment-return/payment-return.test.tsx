// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, describe, expect, it } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import PaymentReturn from "./payment-return";

function show(query: string) {
  const block = {
    __typename: "PaymentReturn" as const,
    id: "return",
    checkingTitle: null,
    successTitle: "Thank you",
    successText: null,
    failureTitle: "That did not work",
    failureText: "Nothing was charged.",
    action: null,
  };
  const router = createMemoryRouter([{ path: "*", element: <PaymentReturn block={block} /> }], {
    initialEntries: [`/en/payment-return/${query}`],
  });
  render(
    <TextsProvider locale={"en"} catalogue={catalogues.en}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
}

describe("coming back from a payment provider", () => {
  afterEach(cleanup);

  it("says thank you only for a captured payment", () => {
    show("?pg_captured=1");
    expect(screen.getByRole("heading", { name: "Thank you" })).toBeTruthy();
  });

  it("says what went wrong, and offers no retry that leads nowhere", () => {
    show("?pg_failure_code=101");
    expect(screen.getByRole("heading", { name: "That did not work" })).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
    expect(screen.queryByRole("link")).toBeNull();
  });

  it("claims nothing where nothing is known", () => {
    show("");
    expect(screen.queryByRole("heading", { name: "Thank you" })).toBeNull();
    expect(screen.queryByRole("heading", { name: "That did not work" })).toBeNull();
    expect(screen.getByRole("heading")).toBeTruthy();
  });
});
