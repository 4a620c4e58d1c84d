import { useSyncExternalStore } from "react";
import { SURVEY_KEY, storedSurvey } from "~/features/survey/order";
import { useQuery } from "~/lib/browser/query";
import { local } from "~/lib/browser/storage";
import { LotusMark } from "~/ui/art/lotus";
import { ButtonLink } from "~/ui/button/button-link";
import type { BlockProps } from "../registry";

const never = () => () => undefined;

/** Links back to the started survey, or to its first page. */
export default function SurveyContinueBox({ block }: BlockProps<"SurveyContinueBox">) {
  const stored = useSyncExternalStore(
    never,
    () => local.get(SURVEY_KEY),
    () => null,
  );
  const address = useQuery();
  const survey = stored ? storedSurvey() : null;
  // Hidden beside the questions, which it would link to.
  if (address?.has("flow") || address?.has("orderid")) return null;
  const query = survey ? `?${new URLSearchParams({ variant: survey.variant, orderid: survey.orderid })}` : "";
  return (
    <section className="wrap py-8 md:py-12">
      <div className="mx-auto flex max-w-[54rem] flex-wrap items-center gap-6 rounded-card bg-mist p-6 md:flex-nowrap md:p-8">
        <LotusMark className="h-10 w-auto shrink-0 text-action" />
        <div className="grow basis-64">
          <h2 className="display text-xl">{block.title}</h2>
          {block.body && <p className="mt-1 text-muted">{block.body}</p>}
        </div>
        <ButtonLink url={`/survey/${query}`} className="shrink-0 max-md:w-full">
          {block.buttonText}
        </ButtonLink>
      </div>
    </section>
  );
}
