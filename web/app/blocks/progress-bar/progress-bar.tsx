import { ProgressBar as Bar } from "~/ui/progress-bar/progress-bar";
import type { BlockProps } from "../registry";

export default function ProgressBar({ block }: BlockProps<"ProgressBar">) {
  return (
    <div className="wrap py-6">
      <div className="mx-auto max-w-text">
        <Bar label={block.label} value={block.value} valueText={block.valueText} />
      </div>
    </div>
  );
}
