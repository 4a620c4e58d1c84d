import { useTexts } from "~/lib/i18n";
import { Icon } from "../icon/icon";
import type { Autoplay } from "./use-autoplay";

interface SliderControlsProps {
  /** One per slide. */
  keys: readonly string[];
  active: number;
  onShow: (index: number) => void;
  autoplay?: Autoplay;
  /** Also on phones, where slides are otherwise swiped. */
  arrowsOnPhones?: boolean;
}

/** Arrows, dots, and a pause button for automatic slides. */
export function SliderControls({ keys, active, onShow, autoplay, arrowsOnPhones = false }: SliderControlsProps) {
  const t = useTexts();
  if (keys.length < 2) return null;
  const shown = arrowsOnPhones ? "grid" : "hidden md:grid";
  return (
    <div className={`mt-4 flex items-center justify-center md:mt-6 ${arrowsOnPhones ? "gap-2 xs:gap-4" : "gap-4"}`}>
      {autoplay && <PlayToggle autoplay={autoplay} />}
      <Arrow label={t("carousel.previous")} onClick={() => onShow(active - 1)} className={shown} back />
      <div className="flex min-w-0 flex-wrap justify-center">
        {keys.map((key, index) => (
          <button
            key={key}
            type="button"
            aria-label={t("carousel.show", { position: index + 1, total: keys.length })}
            aria-current={index === active || undefined}
            onClick={() => onShow(index)}
            className="group grid h-11 w-8 place-items-center rounded-field"
          >
            <span className="h-2 w-2 rounded-pill bg-field transition-all duration-200 group-hover:bg-action group-aria-current:w-6 group-aria-current:bg-action" />
          </button>
        ))}
      </div>
      <Arrow label={t("carousel.next")} onClick={() => onShow(active + 1)} className={shown} />
    </div>
  );
}

export function PlayToggle({ autoplay }: { autoplay: Autoplay }) {
  const t = useTexts();
  return (
    <button
      type="button"
      aria-label={autoplay.isOn ? t("carousel.pause") : t("carousel.play")}
      onClick={autoplay.toggle}
      className="grid size-11 shrink-0 place-items-center rounded-pill text-muted transition duration-200 hover:bg-card hover:text-action"
    >
      <Icon name={autoplay.isOn ? "pause" : "play"} />
    </button>
  );
}

interface ArrowProps {
  label: string;
  onClick: () => void;
  /** Screens that show it. */
  className: string;
  back?: boolean;
}

function Arrow({ label, onClick, className, back }: ArrowProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className={`${className} size-11 shrink-0 place-items-center rounded-pill border border-field bg-card text-ink transition duration-200 hover:border-action hover:text-action`}
    >
      <span className={back ? "-scale-x-100" : ""}>
        <Icon name="chevron" mirrored />
      </span>
    </button>
  );
}
