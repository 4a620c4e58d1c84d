import { useQuery } from "~/lib/browser/query";
import type { BlockProps } from "../registry";
import { Introduction } from "./introduction";
import { Questions } from "./questions";
import "./survey-questions.css";

/** The URL decides: the questions if it names a survey, else the introduction. */
export default function SurveyQuestions({ block }: BlockProps<"SurveyQuestions">) {
  const query = useQuery();
  const isRunning = query?.has("flow") || query?.has("orderid");
  return query && isRunning ? <Questions block={block} query={query} /> : <Introduction block={block} />;
}
