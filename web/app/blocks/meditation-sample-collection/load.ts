import type { MeditationSampleCollectionBlockFragment } from "~/gen/graphql";
import { local } from "~/lib/browser/storage";
import { postJson } from "~/lib/http/request";
import type { Locale } from "~/lib/locale";

export type Sample = MeditationSampleCollectionBlockFragment["samples"][number];

interface SamplesBody {
  data: { items: Partial<Sample>[] };
}

/** Stored by the survey. */
const CATEGORY_KEY = "surveySelectedCategory";
const DEFAULT_CATEGORY = 101;

export function chosenCategory(stored: string | null, ofBlock: number | null): number {
  const chosen = Number(stored);
  return stored && Number.isInteger(chosen) ? chosen : (ofBlock ?? DEFAULT_CATEGORY);
}

/** The samples of the visitor's category; empty when they cannot be loaded. */
export async function loadSamples(lang: Locale, ofBlock: number | null): Promise<Sample[] | null> {
  const category = chosenCategory(local.get(CATEGORY_KEY), ofBlock);
  const answer = await postJson<SamplesBody>("/external/samples", { body: { lang, category } });
  if (!answer.ok || !Array.isArray(answer.value?.data?.items)) return null;
  return answer.value.data.items.map(complete);
}

function complete(item: Partial<Sample>): Sample {
  return { title: "", subTitle: null, image: null, popoverText: null, audioUrl: null, ...item };
}
