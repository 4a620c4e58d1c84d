// @vitest-environment jsdom

import { cleanup, render, screen } from "@testing-library/react";
import { createRef } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, describe, expect, it, vi } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { LOCALES } from "~/lib/locale";
import { OfferUnavailable, SignUpRequired } from "./offer-unavailable";
import { Refusal } from "./payment-messages";

function stage(element: React.ReactNode, url = "/en/payment/annual/") {
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: [url] });
  render(
    <TextsProvider locale="en" catalogue={catalogues.en}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
  return router;
}

const unavailable = (code: string) =>
  stage(<OfferUnavailable container={createRef<HTMLDivElement>()} code={code} onRetry={vi.fn()} />);

// jsdom has no layout.
Element.prototype.scrollIntoView = () => undefined;

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

describe("an offer that cannot be bought", () => {
  it("informs a lifetime owner that a subscription adds nothing", () => {
    unavailable("ALREADY_OWNED");
    expect(screen.getByText("You own this for good")).toBeTruthy();
    expect(screen.getByText(/would add nothing to it, so you are not charged/)).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
    expect(screen.getByRole("link").getAttribute("href")).toBe("/en/");
  });

  it("says that sessions cannot be booked yet", () => {
    unavailable("SESSIONS_NOT_BOOKABLE");
    expect(screen.getByText("Sessions cannot be booked yet")).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("shows paymentError and offers a retry when only the response is missing", () => {
    unavailable("NETWORK_FAILURE");
    expect(screen.getByRole("alert").textContent).toContain(catalogues.en.checkout.faults.paymentError);
    expect(screen.getByRole("button")).toBeTruthy();
  });

  it("names the cards that a bank's price is for", () => {
    stage(<Refusal fault={{ code: "CARD_NOT_IN_OFFER", message: "The provider's words." }} />);
    expect(screen.getByRole("alert").textContent).toContain("cards of the partner bank");
  });

  it("has these texts in every language", () => {
    const said = LOCALES.map((locale) => {
      const { ownedTitle, notBookableTitle, faults } = catalogues[locale].checkout;
      const { ALREADY_OWNED, SESSIONS_NOT_BOOKABLE, CARD_NOT_IN_OFFER } = faults;
      return [ownedTitle, notBookableTitle, ALREADY_OWNED, SESSIONS_NOT_BOOKABLE, CARD_NOT_IN_OFFER].join("|");
    });
    expect(new Set(said).size).toBe(LOCALES.length);
  });

  it("takes the reason along to sign-up", async () => {
    for (const [query, page] of [
      ["", "/en/signup/"],
      ["?specialProgram=true", "/en/email-signup/"],
    ]) {
      const router = stage(<SignUpRequired message="V100" stay={false} />, `/en/payment/annual/${query}`);
      await vi.waitFor(() => expect(router.state.location.pathname).toBe(page));
      expect(router.state.location.state).toEqual({ notice: expect.stringContaining("Create an account") });
      cleanup();
    }
  });
});
