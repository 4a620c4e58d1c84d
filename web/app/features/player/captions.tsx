import { type RefObject, useEffect, useState } from "react";

interface CaptionsProps {
  audio: RefObject<HTMLAudioElement | null>;
  /** Before anything is heard they take up no room. */
  wasPlayed: boolean;
}

/** Browsers draw captions on films only: for sound the words of the moment stand here. */
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

/** Without the marks for voices and places that a cue may carry. */
function cueText(cue: TextTrackCue): string {
  return cue instanceof VTTCue ? (cue.getCueAsHTML().textContent ?? "") : "";
}
