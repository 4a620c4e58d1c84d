import { lazy, Suspense } from "react";
import { hasTokenSignIn } from "~/lib/handoff/token-sign-in-result";
import { useSession } from "~/lib/session/session";

const FollowToken = lazy(() => import("./follow-token"));

/** Navigates a member who was just signed in by a token. */
export function TokenSignIn() {
  const { state } = useSession();
  if (state !== "member" || !hasTokenSignIn()) return null;
  return (
    <Suspense fallback={null}>
      <FollowToken />
    </Suspense>
  );
}
