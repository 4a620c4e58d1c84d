import { useTexts } from "~/lib/i18n";
import { Star } from "../icon/icon";

const ALL = [1, 2, 3, 4, 5] as const;

interface StarsProps {
  count: number;
  /** Fills them; the outline keeps a colour that can be seen on any card. */
  color?: string | null;
}

export function Stars({ count, color }: StarsProps) {
  const t = useTexts();
  return (
    <span role="img" aria-label={t("comments.stars", { stars: count })} className="flex gap-0.5 text-star">
      {ALL.map((star) => (
        <Star key={star} filled={star <= count} color={color} />
      ))}
    </span>
  );
}
