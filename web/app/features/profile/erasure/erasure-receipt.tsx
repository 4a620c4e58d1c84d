import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { localeOf, locales } from "~/lib/locale";
import { ButtonLink } from "~/ui/button/button-link";
import { Icon } from "~/ui/icon/icon";
import { Spinner } from "~/ui/spinner/spinner";
import { SuccessTick } from "~/ui/success-tick/success-tick";
import type { Erasure } from "../api";
import { useErasureReceipt } from "./use-erasure-receipt";

/** The progress of an erasure. Its URL is public: it contains nothing personal. */
export function ErasureReceipt({ id }: { id: string }) {
  const t = useTexts();
  const receipt = useErasureReceipt(id);
  const isDone = receipt.at === "known" && receipt.erasure.finished_at !== null;
  const state = receipt.at === "unknown" ? "unknown" : isDone ? "done" : "running";
  return (
    <section className="wrap mx-auto max-w-text py-10 md:py-16">
      <div role="status">
        {isDone && <SuccessTick />}
        <h1 key={state} className="display mt-6 text-3xl">
          {t(`erasure.receipt.${state}Title`)}
        </h1>
        <p className="mt-3 text-lg text-muted">{t(`erasure.receipt.${state}`)}</p>
      </div>
      {receipt.at === "known" && <ServiceList erasure={receipt.erasure} />}
      {receipt.at === "loading" && <div aria-hidden="true" className="skeleton mt-8 h-48" />}
      {receipt.at === "known" && (
        <p className="mt-6 text-sm text-muted">
          {t("erasure.receipt.keep")} <bdi className="block break-all">{receipt.erasure.erasure_id}</bdi>
        </p>
      )}
      {state !== "running" && (
        <ButtonLink url="/" variant="secondary" className="mt-8">
          {t("errors.home")}
        </ButtonLink>
      )}
    </section>
  );
}

function ServiceList({ erasure }: { erasure: Erasure }) {
  return (
    <ul className="mt-8 divide-y divide-hairline rounded-card bg-card px-5 shadow-rest">
      {erasure.services.map(({ service, erased_at }) => (
        <li key={service} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-4">
          <span className="font-semibold">
            <ServiceName service={service} />
          </span>
          <span className="ms-auto inline-flex items-center gap-2 text-sm text-muted">
            <ServiceStatus erasedAt={erased_at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const PARTS = ["analytics", "auth", "checkout", "sessions"] as const;

/** A service without a text is shown by its name. */
function ServiceName({ service }: { service: string }) {
  const t = useTexts();
  const known = PARTS.find((part) => part === service);
  return known ? t(`erasure.receipt.parts.${known}`) : <bdi>{service}</bdi>;
}

function ServiceStatus({ erasedAt }: { erasedAt: string | null }) {
  const t = useTexts();
  const { tag } = locales[localeOf(useLocation().pathname)];
  if (!erasedAt) {
    return (
      <>
        <Spinner className="size-4 text-action" />
        {t("erasure.receipt.pending")}
      </>
    );
  }
  const when = new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeStyle: "short" }).format(new Date(erasedAt));
  return (
    <>
      <Icon name="check" className="size-4 text-success" />
      {t("erasure.receipt.erased", { when })}
    </>
  );
}
