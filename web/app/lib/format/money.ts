import { type Locale, locales } from "../locale";

export interface Money {
  minor: number;
  currency: string;
  /** Decimals of the currency: 2 for USD, 0 for JPY. */
  exponent: number;
}

/** Decimals of a currency as ISO 4217 has them, which Intl knows. */
export function exponentOf(currency: string): number {
  return formatOf("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

const formats = new Map<string, Intl.NumberFormat>();

/** Each is made once: that takes a browser two milliseconds, and an order has six amounts. */
function formatOf(tag: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = tag + JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(tag, options);
  formats.set(key, format);
  return format;
}

/** The first formatter a browser makes costs it twenty milliseconds: whoever waits for an amount can have that behind them. */
export function warmUpNumberFormat(locale: Locale): void {
  formatOf(locales[locale].tag, {});
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
  return formatOf(locales[locale].tag, { style: "percent" }).format(percent / 100);
}
