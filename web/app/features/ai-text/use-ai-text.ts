import { useEffect, useRef, useState } from "react";
import { readEventStream } from "~/lib/http/event-stream";
import { uuid } from "~/lib/random";

export type Phase = "asking" | "writing" | "finished" | "failed";

export interface AiText {
  phase: Phase;
  text: string;
  ask: (question: Question) => void;
  stop: () => void;
}

export interface Question {
  q: string;
  lang: string;
  type: string;
}

const PATH = "/v1/external/chats/ai";

/** A text that is written while one reads. Closed or broken, it is finished: what is there stays. */
export function useAiText(): AiText {
  const [phase, setPhase] = useState<Phase>("asking");
  const [text, setText] = useState("");
  const running = useRef<AbortController | null>(null);

  useEffect(() => () => running.current?.abort(), []);

  const ask = (question: Question) => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setText("");
    setPhase("writing");
    readEventStream(
      { path: PATH, body: question, key: uuid() },
      { signal: stop.signal, onData: (data) => setText((before) => before + data) },
    ).then(
      () => setPhase("finished"),
      (fault: unknown) => {
        if (running.current !== stop) return;
        if (stop.signal.aborted) return setPhase("finished");
        console.error("The text stream ended early", fault);
        setPhase("failed");
      },
    );
  };

  return { phase, text, ask, stop: () => running.current?.abort() };
}
