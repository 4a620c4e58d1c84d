import { type RefObject, useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { localeOf } from "~/lib/locale";
import { signUpUrl } from "~/lib/sign-up-url";
import { perTab } from "~/lib/storage";
import { Button } from "~/ui/button/button";
import { ButtonLink } from "~/ui/button/button-link";
import { Notice } from "~/ui/notice/notice";
import { isOfferEnded } from "./offer";

/** What stands where there is nothing to pay: for want of an account, or of an offer. */

export const PAYMENT_PAGE_KEY = "paymentPage";

export function SendToSignUp({ message, stay }: { message: string; stay: boolean }) {
  const t = useTexts();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const target = signUpUrl(localeOf(pathname), pathname, new URLSearchParams(search));
  const notice = t("checkout.V100");

  useEffect(() => {
    perTab.set(PAYMENT_PAGE_KEY, pathname + search);
    if (!stay) void navigate(target, { replace: true, state: { notice: notice || message } });
  }, [stay, target, notice, message, pathname, search, navigate]);

  return (
    <div className="max-w-form space-y-6">
      <Notice tone="info">{notice}</Notice>
      <ButtonLink url={target}>{t("checkout.createAccount")}</ButtonLink>
    </div>
  );
}

/** Why a coupon gives nothing. */
const couponFaults = [
  "UNKNOWN_COUPON",
  "COUPON_EXHAUSTED",
  "COUPON_ALREADY_USED",
  "COUPON_EXPIRED",
  "COUPON_OTHER_COUNTRY",
  "COUPON_NOT_ACTIVE",
] as const;

interface UnavailableProps {
  place: RefObject<HTMLDivElement | null>;
  code: string;
  onRetry: () => void;
}

export function Unavailable(props: UnavailableProps) {
  if (props.code === "ALREADY_OWNED" || props.code === "SESSIONS_NOT_BOOKABLE") {
    return <NotSold place={props.place} code={props.code} />;
  }
  return <NotLoaded {...props} />;
}

interface NotSoldProps {
  place: RefObject<HTMLDivElement | null>;
  code: "ALREADY_OWNED" | "SESSIONS_NOT_BOOKABLE";
}

/** Nothing is wrong, and trying again changes nothing: this buyer would gain nothing, or the thing cannot be had yet. */
function NotSold({ place, code }: NotSoldProps) {
  const t = useTexts();
  const isOwned = code === "ALREADY_OWNED";
  return (
    <div ref={place} tabIndex={-1} className="max-w-form space-y-6 outline-none">
      <Notice tone="info" title={t(isOwned ? "checkout.ownedTitle" : "checkout.notBookableTitle")}>
        <p>{t(`checkout.faults.${code}`)}</p>
      </Notice>
      <ButtonLink url="/">{t("checkout.toHome")}</ButtonLink>
    </div>
  );
}

function NotLoaded({ place, code, onRetry }: UnavailableProps) {
  const t = useTexts();
  const gone = code === "UNKNOWN_CAMPAIGN" || isOfferEnded(code);
  const refused = couponFaults.find((known) => known === code);
  return (
    <div ref={place} tabIndex={-1} className="max-w-form space-y-6 outline-none">
      <Notice tone="danger" title={t(gone ? "checkout.goneTitle" : "checkout.unavailableTitle")}>
        {refused && <p>{t(`checkout.faults.${refused}`)}</p>}
        <p>{t(gone ? "checkout.gone" : refused ? "checkout.unavailable" : "checkout.faults.paymentError")}</p>
      </Notice>
      {gone ? (
        <ButtonLink url="/">{t("checkout.seePlans")}</ButtonLink>
      ) : (
        <Button onClick={onRetry}>{t("errors.retry")}</Button>
      )}
    </div>
  );
}
