import { FeatureIcon } from "~/ui/icon/feature-icon";
import { Icon } from "~/ui/icon/icon";
import type { BlockProps } from "../registry";

export type Question = BlockProps<"SurveyQuestions">["block"]["questions"][number];

interface OptionProps {
  question: Question;
  option: Question["options"][number];
  /** Omitted where the browser keeps the state. */
  checked?: boolean;
  /** The limit is reached. */
  barred?: boolean;
  onPress?: () => void;
}

/** A radio button or checkbox as large as a card. */
export function Option({ question, option, checked, barred, onPress }: OptionProps) {
  const isOne = question.maxChosen === 1;
  return (
    <label className="group flex min-h-16 cursor-pointer items-center gap-4 rounded-card border-2 border-transparent bg-card p-4 font-semibold shadow-rest transition duration-200 ease-enter hover:border-hairline has-checked:border-action has-checked:bg-mist has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-action has-aria-disabled:cursor-not-allowed has-aria-disabled:text-muted">
      <input
        type={isOne ? "radio" : "checkbox"}
        name={`q.${question.id}`}
        value={option.id}
        checked={checked}
        onChange={onPress}
        aria-disabled={barred || undefined}
        className="sr-only"
      />
      {option.icon && (
        <span className="grid size-11 shrink-0 place-items-center rounded-field bg-mist text-action group-has-checked:bg-action group-has-checked:text-on-action">
          <FeatureIcon name={option.icon} />
        </span>
      )}
      <span className="grow">{option.label}</span>
      <span
        className={`grid size-6 shrink-0 place-items-center border-2 border-field text-transparent transition duration-200 group-has-checked:border-action group-has-checked:bg-action group-has-checked:text-on-action ${isOne ? "rounded-pill" : "rounded-[0.375rem]"}`}
      >
        <Icon name="check" className="size-4" />
      </span>
    </label>
  );
}
