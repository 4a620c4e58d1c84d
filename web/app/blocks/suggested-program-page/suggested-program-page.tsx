import { useEffect } from "react";
import { reasonsFor, suggestedProgram } from "~/features/survey/suggestion";
import { type Survey, saveAnswers, useVisitorSurvey } from "~/features/survey/survey";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { ContentButton } from "~/ui/button/content-button";
import { Icon } from "~/ui/icon/icon";
import { Link } from "~/ui/link/link";
import { Picture } from "~/ui/picture/picture";
import type { BlockProps } from "../registry";

type Block = BlockProps<"SuggestedProgramPage">["block"];
type Meditation = Block["meditations"][number];

/** The programme that matches the answers, else the block's own. */
export default function SuggestedProgramPage({ block }: BlockProps<"SuggestedProgramPage">) {
  const survey = useVisitorSurvey();
  const suggestion = survey ? suggestedProgram(block.suggestions, survey.answers) : null;
  const program = suggestion ?? block;
  const reasons = survey && suggestion ? reasonsFor(suggestion, survey.answers) : [];
  useStored(survey, suggestion?.id ?? null);
  return (
    <section
      key={suggestion?.id ?? ""}
      className={`wrap grid items-start gap-10 py-10 md:py-16 lg:grid-cols-[5fr_6fr] lg:gap-16 ${suggestion ? "animate-enter" : ""}`}
    >
      <div className="lg:sticky lg:top-24">
        {program.image && (
          <Picture image={program.image} eager className="mb-8 aspect-4/3 w-full rounded-card object-cover" />
        )}
        <h1 className="display text-display">{program.title}</h1>
        {program.description && <p className="hero-lede mt-5 text-lg text-muted">{program.description}</p>}
        {reasons.length > 0 && <Reasons reasons={reasons} />}
        <div className="mt-8 flex flex-wrap items-center gap-3">
          {program.action && <ContentButton button={program.action} className="max-xs:w-full" />}
          {survey && <Again survey={survey} />}
        </div>
      </div>
      <ol className="space-y-3">
        {program.meditations.map((meditation) => (
          <Row key={meditation.title} meditation={meditation} />
        ))}
      </ol>
    </section>
  );
}

/** Saved with the answers, so that the programme's page shows the same. */
function useStored(survey: Survey | null | undefined, program: string | null): void {
  const orderid = survey?.orderid;
  const isStored = survey?.program === program;
  useEffect(() => {
    if (orderid && program && !isStored) void saveAnswers(orderid, { program });
  }, [orderid, program, isStored]);
}

function Reasons({ reasons }: { reasons: string[] }) {
  const t = useTexts();
  return (
    <div className="mt-6 rounded-card bg-mist p-5">
      <h2 className="text-sm font-bold">{t("survey.because")}</h2>
      <ul className="mt-2 space-y-1.5 text-sm">
        {reasons.map((reason) => (
          <li key={reason} className="flex gap-2">
            <Icon name="check" className="mt-0.5 size-4 shrink-0 text-action" />
            {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Again({ survey: { orderid, variant } }: { survey: Survey }) {
  const t = useTexts();
  return (
    <Link
      url={`/survey/?${new URLSearchParams({ variant: String(variant), orderid })}`}
      className="inline-flex min-h-11 items-center text-sm font-semibold text-action underline underline-offset-4 hover:text-action-hover"
    >
      {t("survey.again")}
    </Link>
  );
}

function Row({ meditation }: { meditation: Meditation }) {
  const t = useTexts();
  return (
    <li className="group relative flex items-center gap-4 rounded-card bg-card p-4 shadow-rest transition duration-200 ease-enter hover:shadow-raised md:p-5">
      <span className="grid size-12 shrink-0 place-items-center rounded-pill bg-mist text-action transition duration-200 group-hover:bg-action group-hover:text-on-action">
        <Icon name={meditation.isPremium ? "lock" : "play"} />
      </span>
      <div className="min-w-0 grow">
        <Link url={meditation.meditationUrl} className="font-bold after:absolute after:inset-0 after:rounded-card">
          {meditation.title}
        </Link>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          {meditation.durationText}
          {meditation.isPremium && (
            <span className="rounded-pill bg-warn-tint px-2.5 py-0.5 text-2xs font-bold text-warn">
              {t("program.premium")}
            </span>
          )}
        </p>
      </div>
    </li>
  );
}
