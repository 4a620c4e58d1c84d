import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Button } from "~/ui/button/button";
import { ButtonLink } from "~/ui/button/button-link";
import type { BlockProps } from "../registry";
import { Option } from "./option";

type Block = BlockProps<"SurveyQuestions">["block"];

/** The introduction. Without scripts all questions follow below. */
export function Introduction({ block }: { block: Block }) {
  return (
    <section className="wrap py-12 md:py-20">
      <div className="mx-auto max-w-text text-center">
        <h1 className="display text-display">{block.title}</h1>
        {block.description && <p className="hero-lede mx-auto mt-5 text-lg text-muted">{block.description}</p>}
        <div className="survey-begin mt-8">
          <ButtonLink url={block.startPage} className="max-xs:w-full">
            {block.beginLabel}
          </ButtonLink>
        </div>
      </div>
      <WholeSurvey block={block} />
    </section>
  );
}

function WholeSurvey({ block }: { block: Block }) {
  const t = useTexts();
  const terms = {
    flow: String(block.flow),
    variant: String(block.variant),
    producttype: block.productType?.split("-")[0] ?? "",
    abgroup: block.abGroup ?? "",
    nextPage: block.surveyNext,
  };
  return (
    <form method="post" action="/api/survey/answers" className="survey-whole mx-auto mt-10 max-w-text">
      {Object.entries(terms).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {block.questions.map((question) => (
        <fieldset key={question.id} className="mb-10">
          <legend className="display mb-4 text-xl">{question.title}</legend>
          {question.hint && <p className="mb-4 text-muted">{question.hint}</p>}
          <div className="grid gap-3">
            {question.options.map((option) => (
              <Option key={option.id} question={question} option={option} />
            ))}
          </div>
        </fieldset>
      ))}
      <Button type="submit" className="w-full">
        {t("survey.finish")}
      </Button>
    </form>
  );
}
