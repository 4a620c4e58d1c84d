import { useEffect, useRef } from "react";
import { clockText } from "~/lib/countdown";
import { useTexts } from "~/lib/i18n";
import type { Player } from "./use-player";
import "./player.css";

/** A native slider: a click seeks, and so do the arrow keys. Recordings run from left to right in every script. */
export function SeekBar({ player }: { player: Player }) {
  const t = useTexts();
  const bar = useRef<HTMLInputElement>(null);
  const { at, duration } = player;
  const share = duration > 0 ? at / duration : 0;

  useEffect(() => {
    bar.current?.style.setProperty("--heard", `${(share * 100).toFixed(2)}%`);
  }, [share]);

  return (
    <div dir="ltr">
      <input
        ref={bar}
        type="range"
        min={0}
        max={Math.max(1, Math.round(duration))}
        step={1}
        value={Math.round(at)}
        onChange={(event) => player.seek(event.target.valueAsNumber)}
        onKeyDown={(event) => {
          if (event.key !== " ") return;
          event.preventDefault();
          player.toggle();
        }}
        aria-label={t("player.seek")}
        aria-valuetext={t("player.position", {
          at: clockText(Math.round(at)),
          duration: clockText(Math.round(duration)),
        })}
        className="seek-bar h-11 w-full"
      />
      <p aria-hidden="true" className="money -mt-2 flex justify-between text-2xs text-muted">
        <span>{clockText(Math.floor(at))}</span>
        <span>{clockText(Math.round(duration))}</span>
      </p>
    </div>
  );
}
