import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { internalHref } from "~/lib/links/links";
import { localeOf } from "~/lib/locale";
import { uuid } from "~/lib/random";
import { openSurveyOrder, storedSurvey } from "./order";
import { CATEGORIES, categoriesOf, type Limits, nextPageOf, positionOf, questionsOf } from "./questions";
import { type Answers, fetchSurvey, type Survey, saveAnswers } from "./survey";
import type { SurveyTerms } from "./survey-url";

interface SurveyQuestion extends Limits {
  id: string;
}

/** One survey, question by question. The URL contains the open question, so back and reload work. */
export function useQuestions<Q extends SurveyQuestion>(
  questions: readonly Q[],
  usual: SurveyTerms,
  query: URLSearchParams,
) {
  const [survey, setSurvey] = useState<Survey | null>();
  const [answers, setAnswers] = useState<Answers>({});
  // Read once: the URL changes with each question.
  const [named] = useState(() => query.get("orderid") ?? storedSurvey()?.orderid ?? null);
  useEffect(() => {
    let isCurrent = true;
    void fetchSurvey().then((found) => {
      if (!isCurrent) return;
      // Answers of another survey are not adopted.
      const own = found && (named === null || named === found.orderid) ? found : null;
      setSurvey(own);
      setAnswers(own?.answers ?? {});
    });
    return () => {
      isCurrent = false;
    };
  }, [named]);

  const terms = termsOf(query, survey ?? null, usual);
  const chosen = categoriesOf(query.get("categories"));
  const categories = chosen.length > 0 ? chosen : categoriesOf((survey?.answers[CATEGORIES] ?? []).join(","));
  const list = questionsOf(questions, { ...terms, categories });
  const index = positionOf(list, answers, query.get("q"));
  const navigation = useQuestionNavigation(
    list.map(({ id }) => id),
    terms,
    query,
  );
  const saving = useSaveAnswers(terms, survey ?? null);

  const save = async (question: string, options: readonly string[]) => {
    const all = {
      ...(categories.length > 0 && { [CATEGORIES]: categories.map(String) }),
      ...answers,
      [question]: options,
    };
    const orderid = await saving.save(all);
    if (!orderid) return;
    // The URL first: without a question in it, a new answer would move the position.
    await navigation.toNext(index, orderid);
    setAnswers(all);
  };

  return {
    isKnown: survey !== undefined,
    list,
    index,
    question: list[index],
    chosen: answers[list[index]?.id ?? ""] ?? [],
    busy: saving.busy,
    hasFailed: saving.hasFailed,
    save: (question: string, options: readonly string[]) => void save(question, options),
    back: index > 0 ? () => navigation.toPrevious(index) : null,
  };
}

/** The URL decides, then the stored survey, then content. */
function termsOf(query: URLSearchParams, survey: Survey | null, usual: SurveyTerms): SurveyTerms {
  const number = (name: string, known: number | undefined, otherwise: number) => {
    const given = query.get(name);
    return given !== null && /^\d{1,4}$/.test(given) ? Number(given) : (known ?? otherwise);
  };
  return {
    ...usual,
    flow: number("flow", survey?.flow, usual.flow),
    variant: number("variant", survey?.variant, usual.variant),
    abGroup: query.get("abGroup") ?? survey?.abgroup ?? usual.abGroup,
    nextPage: nextPageOf(query.get("nextPage"), usual.nextPage),
  };
}

function useQuestionNavigation(ids: readonly string[], terms: SurveyTerms, query: URLSearchParams) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const addressOf = (index: number) => {
    const address = new URLSearchParams(query);
    address.set("q", ids[index] ?? "");
    return `${pathname}?${address}`;
  };
  /** Back leads to the question that was left, also when its URL named none. */
  const leave = async (index: number, to: string) => {
    if (!query.has("q")) await navigate(addressOf(index), { replace: true, preventScrollReset: true });
    await navigate(to);
  };
  return {
    toPrevious: (index: number) => void leave(index, addressOf(index - 1)),
    toNext: (index: number, orderid: string): Promise<void> => {
      const page = internalHref(terms.nextPage, localeOf(pathname));
      const onwards = `${page}?${new URLSearchParams({ orderid })}`;
      return leave(index, index + 1 < ids.length ? addressOf(index + 1) : onwards);
    },
  };
}

/** Saves answers; opens a new order when there is none or the server does not have it. */
function useSaveAnswers(terms: SurveyTerms, survey: Survey | null) {
  const locale = localeOf(useLocation().pathname);
  const [busy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const isSaving = useRef(false);
  const key = useRef("");

  const store = async (answers: Answers): Promise<string | null> => {
    const known = survey?.orderid ?? storedSurvey()?.orderid;
    if (known) {
      const problem = await saveAnswers(known, { answers });
      if (!problem) return known;
      if (problem.status !== 404) return null;
    }
    key.current ||= uuid();
    await openSurveyOrder(terms, locale, key.current);
    const opened = storedSurvey()?.orderid;
    if (!opened || opened === known) return null;
    return (await saveAnswers(opened, { answers })) ? null : opened;
  };

  const save = async (answers: Answers): Promise<string | null> => {
    if (isSaving.current) return null;
    isSaving.current = true;
    setBusy(true);
    const orderid = await store(answers);
    isSaving.current = false;
    setBusy(false);
    setFailed(orderid === null);
    return orderid;
  };
  return { busy, hasFailed, save };
}
