import { type RefObject, useEffect, useState } from "react";

interface CaptionsProps {
  audio: RefObject<HTMLAudioElement | null>;
  /** Before playback the captions take no space. */
  wasPlayed: boolean;
}

/** Browsers draw captions for video only, so captions of audio are drawn here. */
export function Captions({ audio, wasPlayed }: CaptionsProps) {
  const [line, setLine] = useState("");
  useEffect(() => {
    const track = audio.current?.textTracks[0];
    if (!track) return;
    track.mode = "hidden";
    const read = () => setLine([...(track.activeCues ?? [])].map(cueText).join(" "));
    track.addEventListener("cuechange", read);
    return () => track.removeEventListener("cuechange", read);
  }, [audio]);
  return (
    <p hidden={!wasPlayed} className="display mt-3 min-h-14 text-center text-lg text-muted" dir="auto">
      {line}
    </p>
  );
}

/** The cue's text without voice and position tags. */
function cueText(cue: TextTrackCue): string {
  return cue instanceof VTTCue ? (cue.getCueAsHTML().textContent ?? "") : "";
}
