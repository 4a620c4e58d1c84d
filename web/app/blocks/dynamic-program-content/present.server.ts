import { formatMinutes } from "~/lib/format/duration";
import type { Locale } from "~/lib/locale";
import type { Data, PageContext } from "../types";

type Block = Data<"DynamicProgramContent">;

export function presentDynamicProgramContent(block: Block, { locale }: PageContext) {
  const ownPrograms = block.ownPrograms.map((program) => ({
    ...program,
    programItems: timed(program.programItems, locale),
  }));
  return { ...block, programItems: timed(block.programItems, locale), ownPrograms };
}

function timed(items: Block["programItems"], locale: Locale) {
  return items.map((item) => ({
    ...item,
    durationText: item.durationMinutes === null ? null : formatMinutes(item.durationMinutes, locale),
  }));
}
