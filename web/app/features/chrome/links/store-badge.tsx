import type { FooterRecordFragment } from "~/gen/graphql";
import { useTexts } from "~/lib/i18n";
import { Icon } from "~/ui/icon/icon";
import { Link } from "~/ui/link/link";
import { Picture } from "~/ui/picture/picture";

const icons = { appStore: "app-store", playStore: "play-store" } as const;

type StoreBadgeProps = { store: keyof typeof icons } & NonNullable<FooterRecordFragment["appStore"]>;

/** The store's badge from content, or our own. */
export function StoreBadge({ store, url, image }: StoreBadgeProps) {
  const t = useTexts();
  if (image) {
    return (
      <Link url={url} className="rounded-field">
        <Picture image={image} className="h-12 w-auto" />
      </Link>
    );
  }
  return (
    <Link
      url={url}
      className="inline-flex min-h-12 items-center gap-2.5 rounded-field border border-field px-4 text-sm font-semibold text-ink transition duration-200 hover:border-action hover:bg-mist"
    >
      <Icon name={icons[store]} solid className="size-5.5" />
      {t(`footer.${store}`)}
    </Link>
  );
}
