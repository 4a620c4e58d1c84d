import { formatMinutes } from "~/lib/duration";
import type { Data, PageContext } from "../types";

export function presentSuggestedProgramPage(block: Data<"SuggestedProgramPage">, { locale }: PageContext) {
  const meditations = block.meditations.map((meditation) => ({
    ...meditation,
    durationText: formatMinutes(meditation.meditationDuration, locale),
  }));
  return { ...block, meditations };
}
