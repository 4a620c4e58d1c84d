// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import type { Locale } from "~/lib/locale";
import { labelUnlessTrialUsed, useLegalOrderLabel, useOrderLabel } from "./order-label";

afterEach(() => {
  cleanup();
  localStorage.clear();
});

it("is the page's own label, unless it promises a used trial", () => {
  expect(labelUnlessTrialUsed("Start free trial", true, { trialDays: 7 })).toBe("Start free trial");
  expect(labelUnlessTrialUsed("Start free trial", true, { trialDays: 0 })).toBeNull();
  expect(labelUnlessTrialUsed("Subscribe and pay", false, { trialDays: 0 })).toBe("Subscribe and pay");
});

/** A subscription's label, and that of what is paid once. */
function Labels({ trialDays }: { trialDays: number }) {
  return (
    <>
      <button type="submit">{useOrderLabel({ trialDays, trialFee: null }, null)}</button>
      <button type="submit">{useLegalOrderLabel("Pay $49")}</button>
    </>
  );
}

function labels(locale: Locale, country: string, trialDays = 7) {
  localStorage.setItem("country", country);
  render(
    <TextsProvider locale={locale} catalogue={catalogues[locale]}>
      <Labels trialDays={trialDays} />
    </TextsProvider>,
  );
  return screen.getAllByRole("button").map(({ textContent }) => textContent);
}

describe("the label of an order", () => {
  it.each([
    ["en", "Order with obligation to pay"],
    ["de", "Zahlungspflichtig bestellen"],
    ["fr", "Commander avec obligation de paiement"],
    ["es", "Pedido con obligación de pago"],
    ["it", "Ordine con obbligo di pagare"],
    ["pt", "Encomenda com obrigação de pagar"],
    ["tr", "Ödeme yükümlülüğüyle sipariş ver"],
    ["ru", "Заказать с обязательством оплаты"],
    ["ar", "اطلب مع الالتزام بالدفع"],
    ["ja", "支払義務のある注文を確定する"],
    ["ko", "결제 의무가 있는 주문하기"],
  ] as const)("has in the Union the law's own words in %s, whatever is paid", (locale, words) => {
    expect(labels(locale, "FR")).toEqual([words, words]);
  });

  it("is the page's own elsewhere, and ours without one", () => {
    expect(labels("en", "US")).toEqual(["Start free trial", "Pay $49"]);
    cleanup();
    expect(labels("en", "US", 0)[0]).toBe("Pay now");
  });
});
