import { type RefObject, useEffect, useState } from "react";
import { local } from "~/lib/browser/storage";
import { useTexts } from "~/lib/i18n";

export interface Speed {
  value: number;
  /** The number in the page's language. */
  label: string;
}

interface SpeedChoiceProps {
  audio: RefObject<HTMLAudioElement | null>;
  speeds: readonly Speed[];
}

const KEY = "playbackSpeed";
const NORMAL = 1;

/** The playback speed, for all recordings and the next visit. */
export function SpeedChoice({ audio, speeds }: SpeedChoiceProps) {
  const t = useTexts();
  const [speed, setSpeed] = useState(NORMAL);

  useEffect(() => {
    const stored = Number(local.get(KEY));
    if (speeds.some(({ value }) => value === stored)) setSpeed(stored);
  }, [speeds]);

  useEffect(() => {
    if (!audio.current) return;
    // Both are set, because `load()` resets to the default rate.
    audio.current.defaultPlaybackRate = speed;
    audio.current.playbackRate = speed;
  }, [audio, speed]);

  const choose = (value: number) => {
    setSpeed(value);
    local.set(KEY, String(value));
  };
  return (
    <select
      aria-label={t("player.speed")}
      value={speed}
      onChange={(event) => choose(Number(event.target.value))}
      className="min-h-11 cursor-pointer appearance-none rounded-pill bg-transparent px-4 text-center text-sm font-bold text-muted transition duration-200 hover:bg-mist hover:text-action"
    >
      {speeds.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
