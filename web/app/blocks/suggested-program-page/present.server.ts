import { formatMinutes } from "~/lib/format/duration";
import type { Locale } from "~/lib/locale";
import type { Data, PageContext } from "../types";

type Block = Data<"SuggestedProgramPage">;

export function presentSuggestedProgramPage(block: Block, { locale }: PageContext) {
  const suggestions = block.suggestions.map((program) => ({
    ...program,
    meditations: timed(program.meditations, locale),
  }));
  return { ...block, meditations: timed(block.meditations, locale), suggestions };
}

function timed(meditations: Block["meditations"], locale: Locale) {
  return meditations.map((meditation) => ({
    ...meditation,
    durationText: formatMinutes(meditation.meditationDuration, locale),
  }));
}
