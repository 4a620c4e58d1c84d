import { type Locale, locales } from "../locale";

const MINUTE_SECS = 60;

/** "10 minutes", rounded up. */
export function formatWait(seconds: number, locale: Locale): string {
  const say = (amount: number, unit: "second" | "minute" | "hour") =>
    new Intl.NumberFormat(locales[locale].tag, { style: "unit", unit, unitDisplay: "long" }).format(amount);
  const minutes = Math.ceil(seconds / MINUTE_SECS);
  if (seconds < 2 * MINUTE_SECS) return say(Math.ceil(seconds / 10) * 10, "second");
  return minutes < 120 ? say(minutes, "minute") : say(Math.ceil(minutes / 60), "hour");
}
