import { useRef } from "react";
import { Picture } from "~/ui/picture/picture";
import type { BlockProps } from "../registry";
import { useParallax } from "./use-parallax";
import "./scroll-parallax.css";

const DEFAULT_PERCENTAGE = 30;

export default function ScrollParallax({ block }: BlockProps<"ScrollParallax">) {
  const scene = useRef<HTMLDivElement>(null);
  useParallax(scene, block.percentage ?? DEFAULT_PERCENTAGE);
  return (
    <section className="overflow-hidden">
      <div
        ref={scene}
        className="wrap section grid grid-cols-2 items-center gap-6 md:grid-cols-[1fr_minmax(20rem,1.6fr)_1fr] md:gap-10"
      >
        <div className="col-span-2 text-center md:order-2 md:col-span-1">
          <h2 className="display text-3xl">{block.title}</h2>
          {block.body && <p className="mt-4 text-lg text-balance text-muted">{block.body}</p>}
        </div>
        <Picture image={block.leftImage} className="parallax aspect-3/4 w-full rounded-card object-cover md:order-1" />
        <Picture
          image={block.rightImage}
          className="parallax parallax-counter aspect-3/4 w-full rounded-card object-cover md:order-3"
        />
      </div>
    </section>
  );
}
