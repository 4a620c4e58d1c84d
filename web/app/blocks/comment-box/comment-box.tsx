import { Avatar } from "~/ui/art/avatar";
import { SectionHeader } from "~/ui/section-header/section-header";
import { Stars } from "~/ui/stars/stars";
import type { BlockProps } from "../registry";

type Comment = BlockProps<"CommentBox">["block"]["comments"][number];

export default function CommentBox({ block }: BlockProps<"CommentBox">) {
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} />
      <ul className="cards">
        {block.comments.map((comment) => (
          <li key={comment.name + comment.comment} className="rounded-card bg-card p-6 shadow-rest md:p-8">
            <Review comment={comment} heading={block.heading ? "h3" : "h2"} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Review({ comment, heading: Heading }: { comment: Comment; heading: "h2" | "h3" }) {
  return (
    <figure className="flex h-full flex-col">
      <Stars count={comment.starCount} color={comment.starColor} />
      {comment.title && <Heading className="display mt-4 text-xl">{comment.title}</Heading>}
      <blockquote className="mt-3 text-muted" dir="auto">
        {comment.comment}
      </blockquote>
      <figcaption className="mt-auto flex items-center gap-3 pt-6 text-sm">
        <Avatar name={comment.name} />
        <span>
          <bdi className="block font-bold">{comment.name}</bdi>
          {comment.place && <span className="text-muted">{comment.place}</span>}
        </span>
      </figcaption>
    </figure>
  );
}
