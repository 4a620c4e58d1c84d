import clsx from "clsx";
import { useTexts } from "~/lib/i18n";
import { DynamicStylesLink, dynamicStylesOf } from "../dynamic-styles/dynamic-styles";
import { Star } from "../icon/icon";

const ALL = [1, 2, 3, 4, 5] as const;

interface StarsProps {
  count: number;
  /** Only readable colours; gold on white is not. */
  color?: string | null;
}

export function Stars({ count, color }: StarsProps) {
  const t = useTexts();
  const styles = dynamicStylesOf({ ink: color });
  return (
    <span
      role="img"
      aria-label={t("comments.stars", { stars: count })}
      className={clsx("flex gap-0.5 text-star", styles?.className)}
    >
      <DynamicStylesLink paint={styles} />
      {ALL.map((star) => (
        <Star key={star} filled={star <= count} />
      ))}
    </span>
  );
}
