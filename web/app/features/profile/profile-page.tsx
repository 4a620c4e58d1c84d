import { type ReactNode, useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { useQuery } from "~/lib/browser/query";
import { internalHref } from "~/lib/links/links";
import { localeOf } from "~/lib/locale";
import { fetchSession, setSession, useSession } from "~/lib/session/session";
import { ButtonLink } from "~/ui/button/button-link";
import { SignInPrompt } from "~/ui/sign-in-prompt/sign-in-prompt";
import { SplitPage } from "~/ui/split-page/split-page";
import { SplitSection } from "~/ui/split-section/split-section";
import { ConfirmEmail } from "./confirm-email";
import { Devices } from "./devices/devices";
import { DeleteAccount } from "./erasure/delete-account";
import { ErasureReceipt } from "./erasure/erasure-receipt";
import { ProfileForm } from "./profile-form";
import { Security } from "./security/security";
import { YourData } from "./your-data";

interface ProfilePageProps {
  seed: string;
  title: string;
  description: string | null;
  heading: "h1" | "h2";
  submitLabel: string | null;
  successMessage: string | null;
  /** Page after a saved change. */
  successPath: string | null;
  /** The whole account page, not only the form as a step of a flow. */
  isAccount: boolean;
  children: ReactNode;
}

const ERASURE = "erasure";

export function ProfilePage(props: ProfilePageProps) {
  const t = useTexts();
  const navigate = useNavigate();
  const session = useSession();
  const [begunId, setBegunId] = useState<string | null>(null);
  const erasureId = useQuery()?.get(ERASURE) ?? begunId;
  useEffect(() => void fetchSession(), []);

  if (erasureId && props.isAccount) return <ErasureReceipt id={erasureId} />;

  const begun = (id: string) => {
    setBegunId(id);
    setSession({ state: "visitor" });
    document.getElementById("main")?.focus();
    // So that a reload shows the receipt again.
    void navigate(`?${new URLSearchParams({ [ERASURE]: id })}`, { replace: true });
  };
  const isMember = session.state === "member";
  return (
    <>
      <SplitPage title={props.title} description={props.description} seed={props.seed} heading={props.heading}>
        {props.isAccount && <ConfirmEmail />}
        {session.state === "unknown" && <FormSkeleton />}
        {!isMember && (
          <SignInPrompt text={t("profile.signInFirst")} label={t("auth.signIn")} className="member:hidden" />
        )}
        {isMember && <OwnForm {...props} user={session.user} />}
        {props.children}
      </SplitPage>
      {isMember && props.isAccount && (
        <div className="wrap wrap-narrow pb-8">
          <SubscriptionSection />
          <Devices />
          <Security />
          <YourData />
          <DeleteAccount onStarted={begun} />
        </div>
      )}
    </>
  );
}

function SubscriptionSection() {
  const t = useTexts();
  return (
    <SplitSection title={t("profile.subscription.title")} text={t("profile.subscription.text")}>
      <ButtonLink url="/account" variant="secondary" size="compact">
        {t("profile.subscription.open")}
      </ButtonLink>
    </SplitSection>
  );
}

type OwnFormProps = Pick<ProfilePageProps, "submitLabel" | "successMessage" | "successPath"> &
  Pick<Parameters<typeof ProfileForm>[0], "user">;

function OwnForm({ user, submitLabel, successMessage, successPath }: OwnFormProps) {
  const navigate = useNavigate();
  const locale = localeOf(useLocation().pathname);
  return (
    <ProfileForm
      user={user}
      submitLabel={submitLabel}
      successMessage={successMessage}
      onSuccess={() => successPath && void navigate(internalHref(successPath, locale))}
    />
  );
}

/** Skeleton of the form while the session is unknown. */
function FormSkeleton() {
  const t = useTexts();
  return (
    <div role="status" className="space-y-5 visitor:hidden">
      <span className="sr-only">{t("profile.loading")}</span>
      <div className="skeleton h-19" />
      <div className="skeleton h-19" />
      <div className="skeleton h-25" />
      <div className="skeleton h-12 rounded-pill" />
    </div>
  );
}
