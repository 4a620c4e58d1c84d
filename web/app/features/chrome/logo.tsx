import type { ImagePartFragment } from "~/gen/graphql";
import { LotusMark } from "~/ui/art/lotus";
import { Link } from "~/ui/link/link";

/** Our own logo is inline, so that it follows the colour scheme; other logos are images from content. */
const OWN_LOGO = "/favicon.svg";

/** In a narrow header the name wraps to a second line, which is clipped; the icon stays. */
export function Logo({ image }: { image: ImagePartFragment }) {
  return (
    <Link
      url="/"
      className="-ms-1 flex h-11 min-w-0 flex-wrap content-start items-center gap-x-2 overflow-clip rounded-field px-1"
    >
      <LogoPicture image={image} />
    </Link>
  );
}

export function LogoPicture({ image }: { image: ImagePartFragment }) {
  if (image.url !== OWN_LOGO) {
    return (
      <img
        src={image.url}
        alt={image.alt}
        width={image.width ?? 140}
        height={image.height ?? 32}
        className="my-1.5 h-8 w-auto"
      />
    );
  }
  return (
    <>
      <LotusMark className="h-11 w-9 text-action" />
      <span className="wordmark text-xl leading-11" lang="en">
        {image.alt}
      </span>
    </>
  );
}
