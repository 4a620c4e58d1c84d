import type { ReactNode } from "react";
import { Link } from "../link/link";
import { Picture, type PictureContent } from "../picture/picture";
import { CardAction } from "./card-action";

interface StoryCardProps {
  title: string;
  url: string;
  text: string | null;
  image: PictureContent | null;
  /** Text of the call to action. */
  action: string;
  /** Author and date. */
  byline?: ReactNode;
  heading: "h2" | "h3";
}

/** A story: one link, as large as the card. */
export function StoryCard({ title, url, text, image, action, byline, heading: Heading }: StoryCardProps) {
  return (
    <article className="group relative flex h-full flex-col overflow-hidden rounded-card bg-card shadow-rest transition duration-200 ease-enter has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-action hover:-translate-y-0.5 hover:shadow-raised">
      {image && (
        <div className="aspect-4/3 overflow-hidden bg-mist">
          <Picture
            image={image}
            className="size-full object-cover transition duration-[480ms] ease-enter group-hover:scale-[1.02]"
          />
        </div>
      )}
      <div className="flex grow flex-col p-6">
        {byline && <div className="mb-3 text-2xs text-muted">{byline}</div>}
        <Heading className="display text-xl">
          <Link url={url} className="outline-none after:absolute after:inset-0 focus-visible:shadow-none">
            {title}
          </Link>
        </Heading>
        {text && <p className="mt-2 text-sm text-muted">{text}</p>}
        <CardAction text={action} />
      </div>
    </article>
  );
}
