import { useTranslation } from "react-i18next";
import { Link } from "~/ui/link/link";

type Store = "appStore" | "playStore";

const shapes: Record<Store, string> = {
  appStore:
    "M16.4 12.6c0-2.3 1.9-3.4 2-3.5-1.1-1.6-2.8-1.8-3.4-1.8-1.4-.1-2.8.9-3.5.9s-1.8-.8-3-.8c-1.5 0-3 .9-3.8 2.3-1.6 2.8-.4 7 1.2 9.3.8 1.1 1.7 2.4 2.9 2.3 1.2 0 1.6-.7 3-.7s1.8.7 3 .7 2-1.1 2.8-2.2c.9-1.3 1.2-2.5 1.3-2.6-.1 0-2.5-1-2.5-3.9ZM14.1 5.8c.6-.8 1.1-1.9.9-3-.9 0-2.1.6-2.7 1.4-.6.7-1.1 1.8-1 2.9 1.1.1 2.2-.5 2.8-1.3Z",
  playStore: "M5 3.2v17.6c0 .5.5.8.9.5L19.5 12.6c.5-.3.5-.9 0-1.2L5.9 2.7c-.4-.3-.9 0-.9.5Z",
};

/** Our own badge: a picture per store and language would weigh more than the whole page. */
export function StoreBadge({ store, url }: { store: Store; url: string }) {
  const { t } = useTranslation();
  return (
    <Link
      url={url}
      className="inline-flex min-h-12 items-center gap-2.5 rounded-field border border-white/25 px-4 text-sm font-semibold text-white transition duration-200 hover:border-white hover:bg-white/10"
    >
      <svg viewBox="0 0 24 24" width="22" height="22" fill="currentColor" aria-hidden="true">
        <path d={shapes[store]} />
      </svg>
      {t(`footer.${store}`)}
    </Link>
  );
}
