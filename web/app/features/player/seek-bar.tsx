import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { clockText } from "~/lib/format/clock-text";
import { useTexts } from "~/lib/i18n";
import { STEP_SECS } from "./seek";
import type { Player } from "./use-player";
import "./player.css";

interface SeekBarProps {
  player: Player;
  /** Shown between the two times. */
  children?: ReactNode;
}

const STEPS: Record<string, number> = {
  ArrowLeft: -STEP_SECS,
  ArrowDown: -STEP_SECS,
  ArrowRight: STEP_SECS,
  ArrowUp: STEP_SECS,
};

/** A native slider: clicks and arrow keys seek. Never mirrored, because audio runs the same way in every script. */
export function SeekBar({ player, children }: SeekBarProps) {
  const t = useTexts();
  const bar = useRef<HTMLInputElement>(null);
  const { at, duration, loaded } = player;

  useEffect(() => {
    bar.current?.style.setProperty("--played", percent(at, duration));
    bar.current?.style.setProperty("--loaded", percent(Math.max(at, loaded), duration));
  }, [at, duration, loaded]);

  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.key !== " " && step === undefined) return;
    event.preventDefault();
    if (step === undefined) player.toggle();
    else player.skip(step);
  };

  return (
    <div dir="ltr">
      <input
        ref={bar}
        type="range"
        min={0}
        max={Math.max(1, Math.round(duration))}
        step={1}
        value={Math.round(at)}
        // Without a duration no position can be selected.
        disabled={duration <= 0}
        onChange={(event) => player.seek(event.target.valueAsNumber)}
        onKeyDown={press}
        aria-label={t("player.seek")}
        aria-valuetext={t("player.position", {
          at: clockText(Math.round(at)),
          duration: clockText(Math.round(duration)),
        })}
        className="seek-bar h-11 w-full"
      />
      <div className="-mt-2 flex items-center justify-between text-2xs text-muted">
        <span aria-hidden="true" className="money">
          {clockText(Math.floor(at))}
        </span>
        {children}
        <span aria-hidden="true" className="money">
          {duration > 0 ? clockText(Math.round(duration)) : "--:--"}
        </span>
      </div>
    </div>
  );
}

function percent(part: number, whole: number): string {
  return `${(whole > 0 ? (part / whole) * 100 : 0).toFixed(2)}%`;
}
