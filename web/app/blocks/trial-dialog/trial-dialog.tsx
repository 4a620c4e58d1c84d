import { useTexts } from "~/lib/i18n";
import { Dialog } from "~/ui/dialog/dialog";
import { Icon, type IconName } from "~/ui/icon/icon";
import type { BlockProps } from "../registry";

type Moment = BlockProps<"TrialDialog">["block"]["trialSteps"][number]["moment"];

const icons: Record<Moment, IconName> = { today: "unlock", day5: "bell", day7: "card" };

export default function TrialDialog({ block }: BlockProps<"TrialDialog">) {
  const t = useTexts();
  return (
    <div className="wrap afterword py-8 text-center">
      <Dialog trigger={block.triggerText} title={block.title}>
        <ol>
          {block.trialSteps.map((step) => (
            <li key={step.moment} className="group relative flex gap-4 pb-7 last:pb-1">
              <span className="absolute inset-y-0 start-[1.3125rem] w-px bg-hairline group-last:hidden" />
              <span className="relative grid size-11 shrink-0 place-items-center rounded-pill bg-mist text-action">
                <Icon name={icons[step.moment]} />
              </span>
              <div>
                <p className="text-2xs font-bold text-action">{t(`trial.${step.moment}`)}</p>
                <h3 className="font-bold">{step.title}</h3>
                <p className="mt-1 text-sm text-muted">{step.text}</p>
              </div>
            </li>
          ))}
        </ol>
      </Dialog>
    </div>
  );
}
