import { useAfterSignIn } from "~/features/account/after-sign-in";
import { ChallengeExpired } from "~/features/account/second-step/challenge-expired";
import { SecondStep } from "~/features/account/second-step/second-step";
import { useSecondStep } from "~/features/account/second-step/use-second-step";
import { SocialButtons } from "~/features/social/social-buttons";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { ButtonLink } from "~/ui/button/button-link";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import type { BlockProps } from "../registry";

export default function SocialSignIn({ block }: BlockProps<"SocialSignIn">) {
  const t = useTexts();
  const afterSignIn = useAfterSignIn();
  const step = useSecondStep();
  if (step.challenge) {
    return (
      <section className="wrap py-8 md:py-12">
        <div className="mx-auto max-w-form">
          <SecondStep
            challenge={step.challenge}
            onSignedIn={(answer) => afterSignIn({ ...answer, kind: "signIn" })}
            onExpired={step.expire}
            onBack={step.leave}
          />
        </div>
      </section>
    );
  }
  return (
    <section className="wrap py-8 md:py-12">
      <div className="mx-auto max-w-form space-y-6">
        {block.heading && <h2 className="display text-center text-2xl">{block.heading}</h2>}
        {block.social && (
          <>
            {step.hasExpired && <ChallengeExpired />}
            <SocialButtons providers={block.social} mode="signIn" onSignedIn={afterSignIn} onSecondStep={step.begin} />
            <p className="flex items-center gap-4 text-sm text-muted before:h-px before:grow before:bg-hairline after:h-px after:grow after:bg-hairline">
              {t("auth.or")}
            </p>
          </>
        )}
        <ButtonLink url="/signin" variant="secondary" className="w-full">
          {t("social.withEmail")}
        </ButtonLink>
        {block.noteHtml && <TrustedHtml html={block.noteHtml} className="prose text-center text-2xs text-muted" />}
      </div>
    </section>
  );
}
