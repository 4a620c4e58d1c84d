import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { useSession } from "~/lib/session/session";
import { LotusMark } from "~/ui/art/lotus";
import { ButtonLink } from "~/ui/button/button-link";
import { Icon } from "~/ui/icon/icon";
import { Link } from "~/ui/link/link";
import { Notice } from "~/ui/notice/notice";
import type { BlockProps } from "../registry";

/** For phones on which the app did not open by itself. */
export default function AutoSignin({ block }: BlockProps<"AutoSignin">) {
  const t = useTexts();
  const session = useSession();
  return (
    <section className="wrap py-6 md:py-10">
      <Link url="/" className="-ms-2 inline-flex min-h-11 items-center gap-2 rounded-pill px-2 font-semibold">
        <span className="-scale-x-100">
          <Icon name="arrow" mirrored />
        </span>
        {t("nav.back")}
      </Link>
      <div className="mx-auto max-w-form py-10 text-center md:py-16">
        <LotusMark className="mx-auto h-14 w-auto text-action" />
        <h1 className="display mt-8 text-3xl">{block.title}</h1>
        {block.body && <p className="mt-4 text-lg text-balance text-muted">{block.body}</p>}
        {session.state === "member" && (
          <div className="mt-6 text-start">
            <Notice tone="success">
              <p>
                {t("auth.signedInAs")} <bdi className="font-bold">{session.user.fullName}</bdi>
              </p>
            </Notice>
          </div>
        )}
        <div className="mt-8 space-y-3">
          <ButtonLink url={block.appStoreUrl} className="w-full">
            <Icon name="app-store" solid />
            {t("footer.appStore")}
          </ButtonLink>
          <ButtonLink url={block.playStoreUrl} variant="secondary" className="w-full">
            <Icon name="play-store" solid />
            {t("footer.playStore")}
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
