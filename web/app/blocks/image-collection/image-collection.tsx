import { Link } from "~/ui/link/link";
import { Picture } from "~/ui/picture/picture";
import { SectionHeader } from "~/ui/section-header/section-header";
import type { BlockProps } from "../registry";

type Item = BlockProps<"ImageCollection">["block"]["pictures"][number];

const TWO_COLUMNS_UP_TO = 3;

export default function ImageCollection({ block }: BlockProps<"ImageCollection">) {
  const isSmall = block.pictures.length > TWO_COLUMNS_UP_TO;
  const columns = isSmall ? "grid-cols-4 gap-2" : "grid-cols-2 gap-3";
  const ratio = isSmall ? "aspect-square" : "aspect-4/3";
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} />
      <ul className={`grid md:gap-6 ${columns}`}>
        {block.pictures.map((item) => (
          <li key={item.picture.url + (item.caption ?? "")} className="min-w-0">
            {item.url ? (
              <Link url={item.url} className="group block rounded-field md:rounded-card">
                <Figure item={item} ratio={ratio} />
              </Link>
            ) : (
              <Figure item={item} ratio={ratio} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Figure({ item, ratio }: { item: Item; ratio: string }) {
  return (
    <figure>
      <div className="overflow-hidden rounded-field bg-mist md:rounded-card">
        <Picture
          image={item.picture}
          className={`w-full object-cover transition duration-[480ms] ease-enter group-hover:scale-[1.03] ${ratio}`}
        />
      </div>
      {item.caption && <figcaption className="mt-2 text-2xs text-muted md:text-sm">{item.caption}</figcaption>}
    </figure>
  );
}
