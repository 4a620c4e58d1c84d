import { useSurvey } from "~/features/survey/use-survey";
import { Button } from "~/ui/button/button";
import type { BlockProps } from "../registry";
import { termsOf } from "../shared/survey-terms";

export default function SurveyButton({ block }: BlockProps<"SurveyButton">) {
  const { begin, beginning } = useSurvey(termsOf(block));
  return (
    <div className="wrap py-6 text-center">
      <Button busy={beginning} onClick={() => begin([])} className="max-xs:w-full">
        {block.text}
      </Button>
    </div>
  );
}
