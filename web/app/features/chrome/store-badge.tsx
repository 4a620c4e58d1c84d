import { useTexts } from "~/lib/i18n";
import { Icon } from "~/ui/icon/icon";
import { Link } from "~/ui/link/link";

type Store = "appStore" | "playStore";

const icons = { appStore: "app-store", playStore: "play-store" } as const;

/** Our own badge: a picture per store and language would weigh more than the whole page. */
export function StoreBadge({ store, url }: { store: Store; url: string }) {
  const t = useTexts();
  return (
    <Link
      url={url}
      className="inline-flex min-h-12 items-center gap-2.5 rounded-field border border-white/25 px-4 text-sm font-semibold text-white transition duration-200 hover:border-white hover:bg-white/10"
    >
      <Icon name={icons[store]} solid className="size-5.5" />
      {t(`footer.${store}`)}
    </Link>
  );
}
