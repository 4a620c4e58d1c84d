import { useEffect, useId, useRef } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { PROVIDER_NAMES } from "~/lib/social";
import { Button } from "~/ui/button/button";
import { Field } from "~/ui/field/field";
import { PasswordField } from "~/ui/field/password-field";
import { Link } from "~/ui/link/link";
import { Notice } from "~/ui/notice/notice";
import { isOwnFault } from "./providers/provider-result";
import { type LinkPasswordFault, useLinkPassword } from "./use-link-password";
import type { LinkRequest, SocialSignInResult } from "./use-social-sign-in";

interface LinkDialogProps {
  request: LinkRequest;
  onSignedIn: (result: SocialSignInResult) => void;
  /** The account has a second factor. */
  onSecondStep: (challenge: string) => void;
  onClose: () => void;
}

/** Links a social identity to the existing account of its address, authorised by the password. */
export function LinkDialog({ request, onSignedIn, onSecondStep, onClose }: LinkDialogProps) {
  const t = useTexts();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const provider = PROVIDER_NAMES[request.provider];
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={onClose}
      className="max-h-[90dvh] w-[min(28rem,calc(100vw-2rem))] overflow-y-auto rounded-card bg-card p-6 text-start text-ink shadow-floating open:animate-enter md:p-8"
    >
      <h2 id={`${id}-title`} className="display text-2xl">
        {t("social.link.title")}
      </h2>
      <p id={`${id}-text`} className="mt-2 text-muted">
        {t("social.link.text", { provider })}
      </p>
      <LinkForm
        request={request}
        submitLabel={t("social.link.submit", { provider })}
        onSignedIn={onSignedIn}
        onSecondStep={onSecondStep}
        onCancel={() => dialog.current?.close()}
      />
    </dialog>
  );
}

interface LinkFormProps extends Omit<LinkDialogProps, "onClose"> {
  submitLabel: string;
  onCancel: () => void;
}

function LinkForm({ submitLabel, onCancel, ...plan }: LinkFormProps) {
  const t = useTexts();
  const { request } = plan;
  const proof = useLinkPassword(plan);
  return (
    <form method="post" noValidate onSubmit={proof.submit} className="mt-6 space-y-5">
      {proof.fault && !isOfPassword(proof.fault) && (
        <Notice tone="danger">
          <p>{t(isOwnFault(proof.fault) ? `errors.${proof.fault}` : "errors.generic")}</p>
        </Notice>
      )}
      <Field
        id="social-email"
        name="email"
        type="email"
        autoComplete="username"
        dir="ltr"
        label={t("auth.fields.email")}
        readOnly
        value={request.email}
      />
      <PasswordField
        id="social-password"
        name="password"
        autoComplete="current-password"
        autoFocus
        dir="ltr"
        label={t("auth.fields.password")}
        value={proof.password}
        error={proof.fault && isOfPassword(proof.fault) ? t(PASSWORD_TEXTS[proof.fault]) : null}
        onChange={(event) => proof.set(event.target.value)}
      />
      <div className="grid gap-3">
        <Button type="submit" busy={proof.sending}>
          {submitLabel}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {t("social.link.cancel")}
        </Button>
      </div>
      <p className="text-center text-sm">
        <Link
          url="/forgot-password"
          className="inline-flex min-h-11 items-center text-action underline underline-offset-4"
        >
          {t("auth.forgotPassword")}
        </Link>
      </p>
    </form>
  );
}

const PASSWORD_TEXTS = { wrong: "social.link.wrong", empty: "auth.faults.required" } as const;

function isOfPassword(fault: LinkPasswordFault): fault is keyof typeof PASSWORD_TEXTS {
  return fault in PASSWORD_TEXTS;
}
