import type { FooterRecordFragment } from "~/gen/graphql";
import { useTexts } from "~/lib/i18n";
import { buttonClass } from "~/ui/button/styles";
import { Popup } from "../popup";
import { StoreBadge } from "./store-badge";

export type Stores = Pick<FooterRecordFragment, "appStore" | "playStore">;

/** On pages for members of a partner, who pay through the partner and need only the app. */
export function DownloadApp({ stores: { appStore, playStore } }: { stores: Stores }) {
  const t = useTexts();
  if (!appStore && !playStore) return null;
  return (
    <Popup
      trigger={t("nav.downloadApp")}
      triggerClass={buttonClass({ size: "compact", className: "h-12 whitespace-nowrap" })}
      className="p-4"
    >
      <div className="grid gap-2">
        {appStore && <StoreBadge store="appStore" {...appStore} />}
        {playStore && <StoreBadge store="playStore" {...playStore} />}
      </div>
    </Popup>
  );
}
