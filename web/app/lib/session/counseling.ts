import type { Locale } from "../locale";
import type { User } from "./session";

/** The welcome page of members in therapy; coaching takes precedence. */
export function counselingWelcome({ isCoachingUser, isTherapyUser }: User, locale: Locale): string | null {
  return isTherapyUser && !isCoachingUser ? `/${locale}/success/counseling-welcome/` : null;
}
