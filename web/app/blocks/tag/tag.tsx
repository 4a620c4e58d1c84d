import { parseHex, toneOn } from "~/lib/colour";
import type { BlockProps } from "../registry";

const tones = { light: "text-white", dark: "text-night-deep" } as const;

/** In the colour content asks for, as long as the word on it can be read. */
export default function Tag({ block }: BlockProps<"Tag">) {
  const background = parseHex(block.backgroundColor);
  const tone = background && toneOn(background);
  return (
    <div className="wrap py-2">
      <span
        className={`relative isolate inline-flex overflow-hidden rounded-pill px-3.5 py-1 text-2xs font-bold ${tone ? tones[tone] : "bg-mist text-action"}`}
      >
        {tone && (
          <svg aria-hidden="true" className="absolute inset-0 -z-10 size-full">
            <rect width="100%" height="100%" fill={block.backgroundColor ?? undefined} />
          </svg>
        )}
        {block.text}
      </span>
    </div>
  );
}
