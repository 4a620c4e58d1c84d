import { useState } from "react";
import { PlayToggle } from "~/ui/slider/slider-controls";
import { useAutoplay } from "~/ui/slider/use-autoplay";
import { wrapped } from "~/ui/slider/use-slider";

const EACH_MS = 2_500;

/** A line with rotating texts. All of them are in the page for screen readers and search. */
export function Revolving({ texts }: { texts: string[] }) {
  const [index, setIndex] = useState(0);
  const autoplay = useAutoplay(texts.length > 1 ? EACH_MS : 0, () => setIndex((now) => wrapped(now + 1, texts.length)));
  return (
    <div className="mt-5 flex min-h-11 items-center gap-2">
      <div className="display grid text-xl text-action">
        {texts.map((text, position) => (
          <p
            key={text}
            data-shown={position === index || undefined}
            className="col-start-1 row-start-1 translate-y-1 opacity-0 transition duration-[320ms] ease-enter data-shown:translate-y-0 data-shown:opacity-100"
          >
            {text}
          </p>
        ))}
      </div>
      {texts.length > 1 && <PlayToggle autoplay={autoplay} />}
    </div>
  );
}
