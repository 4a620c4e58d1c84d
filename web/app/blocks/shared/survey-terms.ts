import type { SurveyTerms } from "~/features/survey/survey-url";
import type { Data } from "../types";

export function termsOf(
  block: Data<"SurveyButton"> | Data<"SurveyCategorySelection"> | Data<"SurveyQuestions">,
): SurveyTerms {
  const { flow, variant, productType, abGroup } = block;
  return { flow, variant, productType, abGroup, nextPage: block.surveyNext };
}
