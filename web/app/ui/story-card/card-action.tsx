import { Icon } from "../icon/icon";

/** The call to action of a card that is one link; screen readers get the title instead. */
export function CardAction({ text }: { text: string }) {
  return (
    <p
      aria-hidden="true"
      className="mt-auto flex items-center gap-1.5 pt-5 text-sm font-bold text-action transition-[gap] duration-200 group-hover:gap-2.5"
    >
      {text}
      <Icon name="arrow" mirrored className="size-4" />
    </p>
  );
}
