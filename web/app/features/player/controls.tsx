import { useTexts } from "~/lib/i18n";
import { Icon, type IconName } from "~/ui/icon/icon";
import { Spinner } from "~/ui/spinner/spinner";
import { SKIP_SECS } from "./seek";
import type { Player } from "./use-player";

/** Back, play, forward: never mirrored, because audio runs the same way in every script. */
export function Controls({ player }: { player: Player }) {
  const t = useTexts();
  return (
    <div className="flex items-center justify-center gap-5" dir="ltr">
      <SkipButton icon="rewind" shortcut="j" label={t("player.rewind")} onClick={() => player.skip(-SKIP_SECS)} />
      <PlayButton player={player} />
      <SkipButton icon="forward" shortcut="l" label={t("player.forward")} onClick={() => player.skip(SKIP_SECS)} />
    </div>
  );
}

function PlayButton({ player }: { player: Player }) {
  const t = useTexts();
  const isPlaying = player.phase === "playing" || player.phase === "loading";
  return (
    <button
      type="button"
      aria-label={isPlaying ? t("player.pause") : t("player.play")}
      aria-keyshortcuts="k"
      aria-busy={player.phase === "loading" || undefined}
      onClick={player.toggle}
      className="grid size-16 place-items-center rounded-pill bg-action text-on-action shadow-raised transition duration-200 ease-enter hover:bg-action-hover active:scale-[0.96] active:bg-action-pressed"
    >
      {player.phase === "loading" ? (
        <Spinner />
      ) : (
        <Icon
          name={isPlaying ? "pause" : "play"}
          solid={!isPlaying}
          className={isPlaying ? "size-6" : "size-6 translate-x-0.5"}
        />
      )}
    </button>
  );
}

interface SkipButtonProps {
  icon: IconName;
  shortcut: string;
  label: string;
  onClick: () => void;
}

function SkipButton({ icon, shortcut, label, onClick }: SkipButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-keyshortcuts={shortcut}
      onClick={onClick}
      className="relative grid size-12 place-items-center rounded-pill text-ink transition duration-200 hover:bg-mist hover:text-action active:scale-[0.96]"
    >
      <Icon name={icon} className="size-8" />
      <span
        aria-hidden="true"
        className="money absolute inset-0 grid place-items-center pt-px text-[0.625rem] font-bold"
      >
        {SKIP_SECS}
      </span>
    </button>
  );
}
