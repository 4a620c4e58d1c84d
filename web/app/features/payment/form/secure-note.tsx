import type { ReactNode } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Icon } from "~/ui/icon/icon";

/** Below every payment button. */
export function SecureNote() {
  const t = useTexts();
  return (
    <SecureNoteLayout>
      <Icon name="lock" className="me-2 inline-block size-4 align-text-bottom" />
      {t("checkout.secure")}
    </SecureNoteLayout>
  );
}

/** The lock is inline, so that both lines of a wrapped text are centred. */
export function SecureNoteLayout({ children }: { children: ReactNode }) {
  return <p className="text-center text-2xs text-balance text-muted">{children}</p>;
}
