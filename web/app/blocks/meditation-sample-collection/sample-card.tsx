import { useEffect, useId, useRef, useState } from "react";
import { usePlayer } from "~/features/player/use-player";
import { useTexts } from "~/lib/i18n";
import { artFor } from "~/ui/art/address";
import { Icon } from "~/ui/icon/icon";
import { Picture } from "~/ui/picture/picture";
import { Spinner } from "~/ui/spinner/spinner";
import type { Sample } from "./load";

export function SampleCard({ sample }: { sample: Sample }) {
  return (
    <li className="@container relative flex items-center gap-3 rounded-card bg-card p-4 shadow-rest xs:gap-4">
      <Picture
        image={sample.image ?? artFor("orb", sample.title)}
        className="size-14 shrink-0 rounded-field object-cover @max-[16rem]:hidden @min-[24rem]:size-20"
      />
      <div className="min-w-0 grow">
        <h3 className="font-bold">{sample.title}</h3>
        {sample.subTitle && <p className="mt-0.5 text-sm text-muted">{sample.subTitle}</p>}
      </div>
      {sample.popoverText && <More title={sample.title} text={sample.popoverText} />}
      {sample.audioUrl && <Preview sample={sample} url={sample.audioUrl} />}
    </li>
  );
}

/** A native popover: closes on Escape and on an outside click. */
function More({ title, text }: { title: string; text: string }) {
  const t = useTexts();
  const id = useId();
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={t("samples.about", { title })}
        className="-mx-1.5 grid size-11 shrink-0 place-items-center rounded-pill text-muted transition duration-200 hover:bg-mist hover:text-action"
      >
        <Icon name="alert" className="rotate-180" />
      </button>
      <div
        id={id}
        popover="auto"
        className="fixed inset-x-0 top-auto bottom-4 mx-auto w-[min(26rem,calc(100vw-2rem))] rounded-card bg-card p-5 text-ink shadow-floating open:animate-enter md:bottom-10"
      >
        <p className="font-bold">{title}</p>
        <p className="mt-2 text-sm text-muted">{text}</p>
      </div>
    </>
  );
}

function Preview({ sample, url }: { sample: Sample; url: string }) {
  const t = useTexts();
  const audio = useRef<HTMLAudioElement>(null);
  const player = usePlayer(audio, {
    url,
    title: sample.title,
    artist: sample.subTitle ?? "Stillpoint",
    artwork: sample.image?.url ?? null,
    durationSecs: null,
  });
  const isPlaying = player.phase === "playing" || player.phase === "loading";
  const fault = useFaultText(player.phase === "failed");
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: a few seconds of a session; its page has the transcript. */}
      <audio ref={audio} src={url} preload="none" />
      <button
        type="button"
        onClick={player.toggle}
        aria-label={
          isPlaying ? t("player.pauseTitle", { title: sample.title }) : t("player.playTitle", { title: sample.title })
        }
        className="grid size-12 shrink-0 place-items-center rounded-pill bg-action text-on-action transition duration-200 hover:bg-action-hover active:scale-[0.96]"
      >
        {player.phase === "loading" ? (
          <Spinner />
        ) : (
          <Icon name={isPlaying ? "pause" : "play"} solid={!isPlaying} className={isPlaying ? "" : "translate-x-px"} />
        )}
      </button>
      <span role="status" className="sr-only">
        {fault}
      </span>
    </>
  );
}

/** Filled after the failure: a status that is filled from the start is not announced. */
function useFaultText(failed: boolean): string {
  const t = useTexts();
  const [text, setText] = useState("");
  useEffect(() => setText(failed ? t("player.failed") : ""), [failed, t]);
  return text;
}
