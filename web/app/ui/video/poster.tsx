import { artFor } from "../art/address";
import { Icon } from "../icon/icon";
import { Picture, type PictureContent } from "../picture/picture";

interface PosterProps {
  /** Label of the play action. */
  label: string;
  image: PictureContent | null;
  /** Seed of the generated picture, where content has none. */
  seed: string;
  onClick: () => void;
}

/** The still image of a video. */
export function Poster({ label, image, seed, onClick }: PosterProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="group relative block aspect-16/9 w-full overflow-hidden rounded-card bg-night shadow-raised"
    >
      <Picture
        image={image ? { ...image, alt: "" } : artFor("waves", seed)}
        className="absolute inset-0 size-full object-cover transition duration-[480ms] ease-enter group-hover:scale-[1.02]"
      />
      <span className="absolute inset-0 grid place-items-center bg-night-deep/20">
        <PlayMark />
      </span>
    </button>
  );
}

/** Shifted towards its tip, so that the triangle looks centred. */
export function PlayMark() {
  return (
    <span className="grid size-16 place-items-center rounded-pill bg-white text-night shadow-floating transition duration-200 ease-enter group-hover:scale-105 md:size-20">
      <Icon name="play" solid className="size-7 translate-x-0.5 md:size-8" />
    </span>
  );
}
