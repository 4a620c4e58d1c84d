import { useTexts } from "~/lib/i18n";
import { Icon } from "../icon/icon";
import type { Autoplay } from "./use-autoplay";

interface SliderControlsProps {
  /** One per slide. */
  keys: readonly string[];
  active: number;
  onShow: (index: number) => void;
  autoplay?: Autoplay;
}

/** Arrows, dots and, where the slides move by themselves, a way to stop them. */
export function SliderControls({ keys, active, onShow, autoplay }: SliderControlsProps) {
  const t = useTexts();
  if (keys.length < 2) return null;
  return (
    <div className="mt-4 flex items-center justify-center gap-4 md:mt-6">
      {autoplay && <PlayToggle autoplay={autoplay} />}
      <Arrow label={t("carousel.previous")} onClick={() => onShow(active - 1)} back />
      <div className="flex">
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
      <Arrow label={t("carousel.next")} onClick={() => onShow(active + 1)} />
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
  back?: boolean;
}

/** Not on phones: there one swipes. */
function Arrow({ label, onClick, back }: ArrowProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="hidden size-11 place-items-center rounded-pill border border-field bg-card text-ink transition duration-200 hover:border-action hover:text-action md:grid"
    >
      <span className={back ? "-scale-x-100" : ""}>
        <Icon name="chevron" mirrored />
      </span>
    </button>
  );
}
