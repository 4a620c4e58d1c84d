import { useTexts } from "~/lib/i18n";
import { artFor } from "~/ui/art/address";
import { SectionHeader } from "~/ui/section-header/section-header";
import { StoryCard } from "~/ui/story-card/story-card";
import type { BlockProps } from "../registry";

type Post = BlockProps<"BlogCards">["block"]["posts"][number];

export default function BlogCards({ block }: BlockProps<"BlogCards">) {
  const t = useTexts();
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} />
      <ul className="cards">
        {block.posts.map((post) => (
          <li key={post.url}>
            <StoryCard
              title={post.heading}
              url={post.url}
              text={post.content}
              image={post.image ?? artFor("cover", post.heading)}
              action={t("articles.read")}
              byline={<Byline post={post} />}
              heading={block.heading ? "h3" : "h2"}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Byline({ post }: { post: Post }) {
  if (!post.authorName && !post.dateText) return null;
  return (
    <p className="flex flex-wrap gap-x-2">
      {post.authorName && (
        <span className="font-semibold text-ink">
          <bdi>{post.authorName}</bdi>
        </span>
      )}
      {post.authorName && post.dateText && <span aria-hidden="true">·</span>}
      {post.dateText && <time dateTime={post.date ?? undefined}>{post.dateText}</time>}
    </p>
  );
}
