import { type FormEvent, type Ref, useEffect, useRef, useState } from "react";
import { toggleOption } from "~/features/survey/questions";
import { useQuestions } from "~/features/survey/use-questions";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Button } from "~/ui/button/button";
import { Icon } from "~/ui/icon/icon";
import { Notice } from "~/ui/notice/notice";
import { ProgressBar } from "~/ui/progress-bar/progress-bar";
import { Spinner } from "~/ui/spinner/spinner";
import type { BlockProps } from "../registry";
import { termsOf } from "../shared/survey-terms";
import { Option, type Question } from "./option";

const FULL = 100;

interface QuestionsProps {
  block: BlockProps<"SurveyQuestions">["block"];
  query: URLSearchParams;
}

export function Questions({ block, query }: QuestionsProps) {
  const t = useTexts();
  const survey = useQuestions(block.questions, termsOf(block), query);
  const { question, index, list } = survey;
  const heading = useFocusOn(survey.isKnown ? question?.id : undefined);
  if (!survey.isKnown || !question) {
    return (
      <section className="wrap grid min-h-[60vh] place-items-center py-12" aria-busy="true">
        <Spinner />
      </section>
    );
  }
  return (
    <section className="wrap py-8 md:py-14">
      <div className="mx-auto max-w-form">
        <ProgressBar
          label={t("survey.question", { number: index + 1, count: list.length })}
          value={(index / list.length) * FULL}
        />
        {survey.hasFailed && (
          <div className="mt-6">
            <Notice tone="danger">{t("survey.notSaved")}</Notice>
          </div>
        )}
        <Step
          key={question.id}
          question={question}
          stored={survey.chosen}
          heading={heading}
          isLast={index === list.length - 1}
          busy={survey.busy}
          onSave={(options) => survey.save(question.id, options)}
          onBack={survey.back}
        />
      </div>
    </section>
  );
}

interface StepProps {
  question: Question;
  stored: readonly string[];
  heading: Ref<HTMLHeadingElement>;
  isLast: boolean;
  busy: boolean;
  onSave: (options: readonly string[]) => void;
  onBack: (() => void) | null;
}

/** One question, which can be skipped: answers are about health. */
function Step({ question, stored, heading, isLast, busy, onSave, onBack }: StepProps) {
  const t = useTexts();
  const [chosen, setChosen] = useState(stored);
  const isFull = question.maxChosen > 1 && chosen.length === question.maxChosen;
  const label = chosen.length === 0 ? "survey.skip" : isLast ? "survey.finish" : "survey.continue";

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSave(chosen);
  };

  return (
    <form method="post" onSubmit={submit} className="mt-8 animate-enter">
      <fieldset aria-describedby={question.hint ? "survey-hint" : undefined}>
        <legend className="mb-6">
          <h1 ref={heading} tabIndex={-1} className="display text-2xl outline-none md:text-3xl">
            {question.title}
          </h1>
        </legend>
        {question.hint && (
          <p id="survey-hint" className="-mt-3 mb-6 text-muted">
            {question.hint}
          </p>
        )}
        <div className="grid gap-3">
          {question.options.map((option) => (
            <Option
              key={option.id}
              question={question}
              option={option}
              checked={chosen.includes(option.id)}
              barred={isFull && !chosen.includes(option.id)}
              onPress={() => setChosen(toggleOption(chosen, option.id, question.maxChosen))}
            />
          ))}
        </div>
      </fieldset>
      {question.maxChosen > 1 && (
        <p role="status" className="mt-4 text-sm text-muted">
          {t("survey.chosen", { chosen: chosen.length, max: question.maxChosen })}
          {isFull && <span className="block">{t("survey.full")}</span>}
        </p>
      )}
      <div className="mt-8 flex flex-wrap-reverse items-center justify-between gap-3">
        {onBack ? (
          <Button variant="quiet" onClick={onBack} className="max-xs:w-full">
            <Icon name="arrow" className="size-4 -scale-x-100 rtl:scale-x-100" />
            {t("survey.back")}
          </Button>
        ) : (
          <span />
        )}
        <Button
          type="submit"
          variant={chosen.length === 0 ? "secondary" : "primary"}
          busy={busy}
          className="max-xs:w-full xs:min-w-52"
        >
          {t(label)}
        </Button>
      </div>
    </form>
  );
}

/** The focus moves to the next question, but not on the first one. */
function useFocusOn(question: string | undefined) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(question);
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== question) heading.current?.focus();
    shown.current = question;
  }, [question]);
  return heading;
}
