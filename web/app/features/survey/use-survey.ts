import { useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { localeOf } from "~/lib/locale";
import { uuid } from "~/lib/random";
import { openSurveyOrder } from "./order";
import { type SurveyTerms, surveyUrl } from "./survey-url";

/** Starts a survey: opens an order, then its page. A second press is ignored. */
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
    // The key stays for this page, so a retry after a lost answer opens the same order.
    key.current ||= uuid();
    await openSurveyOrder(terms, locale, key.current);
    await navigate(surveyUrl(locale, terms, categories), { viewTransition: true });
    busy.current = false;
    setBeginning(false);
  };

  return { beginning, begin: (categories: readonly number[]) => void begin(categories) };
}
