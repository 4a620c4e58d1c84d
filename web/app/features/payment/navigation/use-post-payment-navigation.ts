import { useLocation, useNavigate } from "react-router";
import { localeOf } from "~/lib/locale";
import { pause } from "../pay/pause";
import { fetchTherapyToken, grantTemporaryPremium } from "./api";
import { type Destination, withToken } from "./destination";

const LEAVE_AFTER_GRANT_MS = 100;

/** Navigates to a destination after a payment. */
export function usePostPaymentNavigation(): (destination: Destination) => Promise<void> {
  const navigate = useNavigate();
  const locale = localeOf(useLocation().pathname);
  return async (destination) => {
    if (destination.kind === "page") return navigate(destination.url, { viewTransition: true });
    if (destination.kind === "therapyHandoff") {
      return window.location.assign(withToken(destination.url, await fetchTherapyToken()));
    }
    const url = await grantTemporaryPremium(locale, destination.requestedUrl);
    if (!url) return navigate(destination.fallbackUrl, { viewTransition: true });
    await pause(LEAVE_AFTER_GRANT_MS);
    window.location.assign(url);
  };
}
