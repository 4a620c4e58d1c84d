import { type RefObject, useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { perTab } from "~/lib/browser/storage";
import { signUpUrl } from "~/lib/links/sign-up-url";
import { localeOf } from "~/lib/locale";
import { Button } from "~/ui/button/button";
import { ButtonLink } from "~/ui/button/button-link";
import { Notice } from "~/ui/notice/notice";
import { isOfferEnded } from "../offer/offer";

/** Screens for a missing account or a missing offer. */

export const PAYMENT_PAGE_KEY = "paymentPage";

export function SignUpRequired({ message, stay }: { message: string; stay: boolean }) {
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

/** Refusals of a coupon. */
const couponFaults = [
  "UNKNOWN_COUPON",
  "COUPON_EXHAUSTED",
  "COUPON_ALREADY_USED",
  "COUPON_EXPIRED",
  "COUPON_OTHER_COUNTRY",
  "COUPON_NOT_ACTIVE",
] as const;

interface OfferUnavailableProps {
  container: RefObject<HTMLDivElement | null>;
  code: string;
  onRetry: () => void;
}

export function OfferUnavailable(props: OfferUnavailableProps) {
  if (props.code === "ALREADY_OWNED" || props.code === "SESSIONS_NOT_BOOKABLE") {
    return <NotAvailable container={props.container} code={props.code} />;
  }
  return <LoadFailed {...props} />;
}

interface NotAvailableProps {
  container: RefObject<HTMLDivElement | null>;
  code: "ALREADY_OWNED" | "SESSIONS_NOT_BOOKABLE";
}

/** No error, and no retry: the buyer would gain nothing, or sessions cannot be booked yet. */
function NotAvailable({ container, code }: NotAvailableProps) {
  const t = useTexts();
  const isOwned = code === "ALREADY_OWNED";
  return (
    <div ref={container} tabIndex={-1} className="max-w-form space-y-6 outline-none">
      <Notice tone="info" title={t(isOwned ? "checkout.ownedTitle" : "checkout.notBookableTitle")}>
        <p>{t(`checkout.faults.${code}`)}</p>
      </Notice>
      <ButtonLink url="/">{t("checkout.toHome")}</ButtonLink>
    </div>
  );
}

function LoadFailed({ container, code, onRetry }: OfferUnavailableProps) {
  const t = useTexts();
  const isGone = code === "UNKNOWN_CAMPAIGN" || isOfferEnded(code);
  const couponCode = couponFaults.find((known) => known === code);
  return (
    <div ref={container} tabIndex={-1} className="max-w-form space-y-6 outline-none">
      <Notice tone="danger" title={t(isGone ? "checkout.goneTitle" : "checkout.unavailableTitle")}>
        {couponCode && <p>{t(`checkout.faults.${couponCode}`)}</p>}
        <p>{t(isGone ? "checkout.gone" : couponCode ? "checkout.unavailable" : "checkout.faults.paymentError")}</p>
      </Notice>
      {isGone ? (
        <ButtonLink url="/">{t("checkout.seePlans")}</ButtonLink>
      ) : (
        <Button onClick={onRetry}>{t("errors.retry")}</Button>
      )}
    </div>
  );
}
