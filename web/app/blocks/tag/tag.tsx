import clsx from "clsx";
import { DynamicStylesLink, dynamicStylesOf } from "~/ui/dynamic-styles/dynamic-styles";
import type { BlockProps } from "../registry";

/** Content's colours, while the text is readable. */
export default function Tag({ block }: BlockProps<"Tag">) {
  const styles = dynamicStylesOf({ ink: block.color, ground: block.backgroundColor ?? (block.color && "mist") });
  return (
    <div className="wrap py-2 in-[.hero-centred]:text-center in-[.nested]:py-0">
      <DynamicStylesLink paint={styles} />
      <span
        className={clsx(
          "inline-block rounded-pill bg-mist px-3.5 py-1 text-2xs font-bold text-action",
          styles?.className,
        )}
      >
        {block.text}
      </span>
    </div>
  );
}
