import { type RefObject, useEffect, useState } from "react";

interface CaptionsProps {
  audio: RefObject<HTMLAudioElement | null>;
}

/** Browsers draw captions on films only: for sound the words of the moment stand here. */
export function Captions({ audio }: CaptionsProps) {
  const [line, setLine] = useState("");
  useEffect(() => {
    const track = audio.current?.textTracks[0];
    if (!track) return;
    track.mode = "hidden";
    const read = () =>
      setLine([...(track.activeCues ?? [])].map((cue) => (cue instanceof VTTCue ? cue.text : "")).join(" "));
    track.addEventListener("cuechange", read);
    return () => track.removeEventListener("cuechange", read);
  }, [audio]);
  return (
    <p className="display mt-5 min-h-14 text-center text-lg text-muted" dir="auto">
      {line}
    </p>
  );
}
