import { type Locale, locales } from "~/lib/locale";
import type { Data, PageContext } from "../types";

const SPEEDS = [0.75, 1, 1.25, 1.5] as const;

export function presentMeditationPlayer(block: Data<"MeditationPlayer">, { locale }: PageContext) {
  return { ...block, speeds: SPEEDS.map((value) => ({ value, label: speedText(value, locale) })) };
}

function speedText(value: number, locale: Locale): string {
  return `${new Intl.NumberFormat(locales[locale].tag).format(value)}×`;
}
