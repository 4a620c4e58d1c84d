import { useEffect, useRef, useState } from "react";
import { readEventStream, type StreamEvent, StreamFault } from "~/lib/http/event-stream";
import { uuid } from "~/lib/random";

export type Phase = "asking" | "writing" | "finished" | "failed";

export interface Helpline {
  name: string;
  /** Empty when there is only a URL; `url` is empty when there is only a number. */
  phone: string;
  url: string;
}

export interface AiText {
  phase: Phase;
  text: string;
  /** The connection was lost and is being resumed. */
  isCut: boolean;
  /** The AI declines this question, also when it is asked again. */
  isDeclined: boolean;
  /** Helplines, when the question mentions self-harm. */
  helplines: Helpline[];
  ask: (question: Question) => void;
  askAgain: () => void;
  stop: () => void;
}

export interface Question {
  q: string;
  lang: string;
  type: string;
}

type State = Pick<AiText, "phase" | "text" | "isCut" | "isDeclined" | "helplines">;

const PATH = "/v1/external/chats/ai";

const INITIAL: State = { phase: "asking", text: "", isCut: false, isDeclined: false, helplines: [] };

/** A streamed text. When it is stopped or broken, the received part stays. */
export function useAiText(): AiText {
  const [state, setState] = useState(INITIAL);
  const running = useRef<AbortController | null>(null);
  const lastQuestion = useRef<Question | null>(null);

  useEffect(() => () => running.current?.abort(), []);

  const ask = (question: Question) => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    lastQuestion.current = question;
    setState({ ...INITIAL, phase: "writing" });
    const change = (next: (before: State) => Partial<State>) => {
      if (running.current === stop) setState((before) => ({ ...before, ...next(before) }));
    };
    readEventStream(
      { path: PATH, body: question, key: uuid() },
      {
        signal: stop.signal,
        onEvent: (event) => change((before) => ({ ...applyEvent(before, event), isCut: false })),
        onCut: () => change(() => ({ isCut: true })),
      },
    ).then(
      () => change(() => ({ phase: "finished" })),
      (fault: unknown) => {
        if (stop.signal.aborted) return change(() => ({ phase: "finished", isCut: false }));
        console.error("The text stream ended early", fault);
        const isDeclined = fault instanceof StreamFault && fault.code === "AI_DECLINED";
        change(() => ({ phase: "failed", isCut: false, isDeclined }));
      },
    );
  };

  return {
    ...state,
    ask,
    askAgain: () => lastQuestion.current && ask(lastQuestion.current),
    stop: () => running.current?.abort(),
  };
}

/** Unknown events are ignored. */
function applyEvent(before: State, { name, data }: StreamEvent): Partial<State> {
  if (name === "message") return { text: before.text + data };
  if (name === "crisis") return { helplines: (JSON.parse(data) as { helplines: Helpline[] }).helplines };
  return {};
}
