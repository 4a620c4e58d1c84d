import { useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { localeOf } from "~/lib/locale";
import { uuid } from "~/lib/random";
import { openSurveyOrder } from "./order";
import { type SurveyTerms, surveyUrl } from "./survey-url";

/** Begins a survey: an order first, then its page. Pressed twice, it begins once. */
export function useSurvey(terms: SurveyTerms) {
  const navigate = useNavigate();
  const locale = localeOf(useLocation().pathname);
  const [beginning, setBeginning] = useState(false);
  const busy = useRef(false);
  const key = useRef("");

  const begin = async (categories: readonly number[]) => {
    if (busy.current) return;
    busy.current = true;
    setBeginning(true);
    // Kept while this page lives: pressed again after an answer was lost, it is still the same order.
    key.current ||= uuid();
    await openSurveyOrder(terms, locale, key.current);
    await navigate(surveyUrl(locale, terms, categories), { viewTransition: true });
    busy.current = false;
    setBeginning(false);
  };

  return { beginning, begin: (categories: readonly number[]) => void begin(categories) };
}
