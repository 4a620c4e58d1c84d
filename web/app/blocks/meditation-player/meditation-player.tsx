import { useRef } from "react";
import { Captions } from "~/features/player/captions";
import { Controls } from "~/features/player/controls";
import { SeekBar } from "~/features/player/seek-bar";
import { pressShortcut } from "~/features/player/shortcuts";
import { SpeedChoice } from "~/features/player/speed";
import { usePlayer } from "~/features/player/use-player";
import { crossOriginFor } from "~/lib/browser/media";
import { useTexts } from "~/lib/i18n";
import { artFor } from "~/ui/art/address";
import { Notice } from "~/ui/notice/notice";
import { Picture } from "~/ui/picture/picture";
import { Transcript } from "~/ui/transcript/transcript";
import type { BlockProps } from "../registry";

export default function MeditationPlayer({ block }: BlockProps<"MeditationPlayer">) {
  const t = useTexts();
  const audio = useRef<HTMLAudioElement>(null);
  const cover = block.image ?? artFor("orb", block.id);
  const player = usePlayer(audio, {
    url: block.audioUrl,
    title: block.title,
    artist: block.subTitle ?? "Stillpoint",
    artwork: cover.url,
    durationSecs: block.durationSecs,
  });
  return (
    <section className="wrap section @container">
      <div className="mx-auto grid max-w-[52rem] items-center gap-6 rounded-card bg-card p-5 shadow-raised @min-[40rem]:grid-cols-[15rem_1fr] @min-[40rem]:gap-10 @min-[40rem]:p-8">
        <Picture image={cover} className="mx-auto aspect-square w-full max-w-60 rounded-card object-cover" />
        <div className="min-w-0">
          <h2 className="display text-2xl">{block.title}</h2>
          {block.subTitle && <p className="mt-1 text-muted">{block.subTitle}</p>}
          <section
            aria-label={t("player.label", { title: block.title })}
            onKeyDown={(event) => pressShortcut(event, player)}
            className="mt-5"
          >
            {/* biome-ignore lint/a11y/useMediaCaption: content gives captions or a transcript where there is speech. */}
            <audio
              ref={audio}
              src={block.audioUrl}
              preload={block.durationSecs ? "none" : "metadata"}
              crossOrigin={crossOriginFor(block.captionsUrl)}
            >
              {block.captionsUrl && <track kind="captions" src={block.captionsUrl} default />}
            </audio>
            <Controls player={player} />
            <div className="mt-3">
              <SeekBar player={player}>
                <SpeedChoice audio={audio} speeds={block.speeds} />
              </SeekBar>
            </div>
          </section>
          {player.phase === "failed" && (
            <div className="mt-4">
              <Notice tone="danger">{t("player.failed")}</Notice>
            </div>
          )}
          {block.captionsUrl && <Captions audio={audio} wasPlayed={player.phase !== "idle"} />}
          {block.transcriptHtml && <Transcript html={block.transcriptHtml} />}
        </div>
      </div>
    </section>
  );
}
