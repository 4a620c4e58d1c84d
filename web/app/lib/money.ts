import { type Locale, locales } from "./locale";

export interface Money {
  minor: number;
  currency: string;
  /** Decimals of the currency: 2 for USD, 0 for JPY. */
  exponent: number;
}

/** Decimals of a currency as ISO 4217 has them, which Intl knows. */
export function exponentOf(currency: string): number {
  return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** Major units as the payment calls send them (59.9) to exact minor units (5990). */
export function fromMajor(major: number, currency: string): Money {
  const exponent = exponentOf(currency);
  return { minor: Math.round(major * 10 ** exponent), currency, exponent };
}

/** The price of one part, half up to the minor unit; a part of nothing is the whole. */
export function perPart(money: Money, parts: number): Money {
  return parts > 1 ? { ...money, minor: Math.round(money.minor / parts) } : money;
}

export function formatMoney(money: Money, locale: Locale): string {
  const format = new Intl.NumberFormat(locales[locale].tag, {
    style: "currency",
    currency: money.currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: money.exponent,
    maximumFractionDigits: money.exponent,
    trailingZeroDisplay: "stripIfInteger",
  });
  const major = money.minor / 10 ** money.exponent;
  if (locale === "tr") return symbolAfter(format.formatToParts(major));
  const text = format.format(major);
  return locale === "ar" ? text.replace(LATIN_SYMBOL, "$&\u200e") : text;
}

/** As US$: without a mark behind it the sign would leave its letters where a line runs from right to left. */
const LATIN_SYMBOL = /[A-Z]+\$/;

/** Turkish readers write 59,99 ₺, CLDR writes ₺59,99. */
function symbolAfter(parts: Intl.NumberFormatPart[]): string {
  const symbol = parts.find((part) => part.type === "currency")?.value ?? "";
  const amount = parts
    .filter((part) => part.type !== "currency" && part.type !== "literal")
    .map((part) => part.value)
    .join("");
  return `${amount}\u00a0${symbol}`;
}

export function formatPercent(percent: number, locale: Locale): string {
  return new Intl.NumberFormat(locales[locale].tag, { style: "percent" }).format(percent / 100);
}
