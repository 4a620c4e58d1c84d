import { safePath } from "~/lib/links";
import type { Locale } from "~/lib/locale";

/** Which survey is asked and where it leads. */
export interface SurveyTerms {
  flow: number;
  variant: number;
  productType: string | null;
  nextPage: string;
  abGroup: string | null;
}

/** The survey's page; with categories where some were chosen. Whoever reads `nextPage` there goes to it: only ours are named. */
export function surveyAddress(locale: Locale, terms: SurveyTerms, categories: readonly number[]): string {
  const nextPage = safePath(terms.nextPage) ?? "/";
  const query = [
    ...(categories.length > 0 ? [`categories=${categories.join(",")}`] : []),
    `flow=${terms.flow}`,
    `variant=${terms.variant}`,
    `nextPage=${encodeURIComponent(nextPage)}`,
    ...(terms.abGroup ? [`abGroup=${encodeURIComponent(terms.abGroup)}`] : []),
  ];
  return `/${locale}/survey/?${query.join("&")}`;
}
