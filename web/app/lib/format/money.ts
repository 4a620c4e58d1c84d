import { type Locale, locales } from "../locale";

export interface Money {
  minor: number;
  currency: string;
  /** Decimals of the currency: 2 for USD, 0 for JPY. */
  exponent: number;
}

/** Decimals of a currency by ISO 4217, from Intl. */
export function exponentOf(currency: string): number {
  return formatOf("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

const formats = new Map<string, Intl.NumberFormat>();

/** Cached: creating one takes two milliseconds, and an order has six amounts. */
function formatOf(tag: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = tag + JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(tag, options);
  formats.set(key, format);
  return format;
}

/** The first Intl formatter takes twenty milliseconds; calling this early hides them. */
export function warmUpNumberFormat(locale: Locale): void {
  formatOf(locales[locale].tag, {});
}

/** Major units of the payment API (59.9) to exact minor units (5990). */
export function fromMajor(major: number, currency: string): Money {
  const exponent = exponentOf(currency);
  return { minor: Math.round(major * 10 ** exponent), currency, exponent };
}

/** The price of one part, half up to the minor unit; with fewer than two parts, the whole. */
export function perPart(money: Money, parts: number): Money {
  return parts > 1 ? { ...money, minor: Math.round(money.minor / parts) } : money;
}

export function formatMoney(money: Money, locale: Locale): string {
  const format = formatOf(locales[locale].tag, {
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

/** As in US$: without a direction mark, the sign would move away from its letters in Arabic text. */
const LATIN_SYMBOL = /[A-Z]+\$/;

/** Turkish text has 59,99 ₺ where CLDR has ₺59,99. */
function symbolAfter(parts: Intl.NumberFormatPart[]): string {
  const symbol = parts.find((part) => part.type === "currency")?.value ?? "";
  const amount = parts
    .filter((part) => part.type !== "currency" && part.type !== "literal")
    .map((part) => part.value)
    .join("");
  return `${amount}\u00a0${symbol}`;
}

export function formatPercent(percent: number, locale: Locale): string {
  return formatOf(locales[locale].tag, { style: "percent" }).format(percent / 100);
}
