import type { ReactNode } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import "~/lib/i18n/withdrawal";
import type { Draft } from "./draft";

interface DeclaredProps {
  draft: Draft;
  /** What is known besides once it has arrived. */
  children?: ReactNode;
}

/** What is declared, word for word. */
export function Declared({ draft: { name, email, reference }, children }: DeclaredProps) {
  const t = useTexts();
  return (
    <dl className="mt-5 divide-y divide-hairline rounded-field bg-mist px-4 text-start md:px-5">
      {children}
      <Line name={t("withdrawal.contract")}>{t("withdrawal.statement")}</Line>
      <Line name={t("auth.fields.name")}>
        <bdi>{name}</bdi>
      </Line>
      <Line name={t("auth.fields.email")}>
        <bdi>{email}</bdi>
      </Line>
      {reference && (
        <Line name={t("withdrawal.reference")}>
          <bdi>{reference}</bdi>
        </Line>
      )}
    </dl>
  );
}

export function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 py-3 sm:grid-cols-[2fr_3fr]">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="font-semibold wrap-anywhere">{children}</dd>
    </div>
  );
}
