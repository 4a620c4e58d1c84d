import type { Locale } from "~/lib/locale";

/** Which survey is asked and where it leads. */
export interface SurveyTerms {
  flow: number;
  variant: number;
  productType: string | null;
  nextPage: string;
  abGroup: string | null;
}

/** The survey's page; with categories where some were chosen. */
export function surveyUrl(locale: Locale, terms: SurveyTerms, categories: readonly number[]): string {
  const query = [
    ...(categories.length > 0 ? [`categories=${categories.join(",")}`] : []),
    `flow=${terms.flow}`,
    `variant=${terms.variant}`,
    `nextPage=${encodeURIComponent(terms.nextPage)}`,
    ...(terms.abGroup ? [`abGroup=${encodeURIComponent(terms.abGroup)}`] : []),
  ];
  return `/${locale}/survey/?${query.join("&")}`;
}
