import type { ImagePartFragment } from "~/gen/graphql";
import { LotusMark } from "~/ui/art/lotus";
import { Link } from "~/ui/link/link";

/** Our own mark is drawn here so that it follows the scheme; any other logo is the picture content names. */
const OWN_LOGO = "/favicon.svg";

export function Logo({ image }: { image: ImagePartFragment }) {
  return (
    <Link url="/" className="-ms-1 flex min-h-11 items-center gap-2 rounded-field px-1 text-ink">
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
        className="h-8 w-auto"
      />
    );
  }
  return (
    <>
      <LotusMark className="h-6 w-auto text-action" />
      <span className="wordmark text-xl" lang="en">
        {image.alt}
      </span>
    </>
  );
}
