import type { ReactNode } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import "~/lib/i18n/withdrawal";
import { Detail } from "~/ui/detail/detail";
import type { Draft } from "./draft";

interface DeclarationProps {
  draft: Draft;
  /** Further rows of the receipt. */
  children?: ReactNode;
}

/** The declaration as it is sent. */
export function Declaration({ draft: { name, email, reference }, children }: DeclarationProps) {
  const t = useTexts();
  return (
    <dl className="mt-5 divide-y divide-hairline rounded-field bg-mist px-4 text-start md:px-5">
      {children}
      <Detail name={t("withdrawal.contract")}>{t("withdrawal.statement")}</Detail>
      <Detail name={t("auth.fields.name")}>
        <bdi>{name}</bdi>
      </Detail>
      <Detail name={t("auth.fields.email")}>
        <bdi>{email}</bdi>
      </Detail>
      {reference && (
        <Detail name={t("withdrawal.reference")}>
          <bdi>{reference}</bdi>
        </Detail>
      )}
    </dl>
  );
}
