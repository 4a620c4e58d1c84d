import clsx from "clsx";
import { Link } from "~/ui/link/link";
import { Picture as Image } from "~/ui/picture/picture";
import type { BlockProps } from "../registry";

type PictureBlock = BlockProps<"Picture">["block"];

const frames = { text: "wrap", wide: "wrap", full: "" } as const;
const widths = { text: "mx-auto max-w-text", wide: "", full: "" } as const;

export default function Picture({ block }: BlockProps<"Picture">) {
  return (
    <figure className={`${frames[block.width]} py-6 in-[.nested]:py-0 md:py-10`}>
      <div className={widths[block.width]}>
        {block.href ? (
          <Link
            url={block.href}
            className="block rounded-card transition duration-200 ease-enter hover:-translate-y-0.5"
          >
            <Drawn block={block} />
          </Link>
        ) : (
          <Drawn block={block} />
        )}
        {block.caption && (
          <figcaption className={clsx("mt-3 text-sm text-muted", block.width === "full" && "wrap")}>
            {block.caption}
          </figcaption>
        )}
      </div>
    </figure>
  );
}

function Drawn({ block }: { block: PictureBlock }) {
  const className = clsx("h-auto w-full", block.width === "full" ? "max-h-[40rem] object-cover" : "rounded-card");
  if (!block.mobileImage) return <Image image={block.picture} className={className} />;
  const { url, width, height } = block.mobileImage;
  return (
    <picture>
      <source media="(width < 48rem)" srcSet={url} width={width ?? undefined} height={height ?? undefined} />
      <Image image={block.picture} className={className} />
    </picture>
  );
}
