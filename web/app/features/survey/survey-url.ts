import type { Locale } from "~/lib/locale";

/** Parameters of a survey and its next page. */
export interface SurveyTerms {
  flow: number;
  variant: number;
  productType: string | null;
  nextPage: string;
  abGroup: string | null;
}

/** URL of the survey page, with the chosen categories. */
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
