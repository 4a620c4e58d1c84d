import type { Locale } from "../locale";
import type { User } from "./session";

/** The place of members in therapy; coaching comes first. */
export function counselingWelcome({ isCoachingUser, isTherapyUser }: User, locale: Locale): string | null {
  return isTherapyUser && !isCoachingUser ? `/${locale}/success/counseling-welcome/` : null;
}
