import { useTokenNavigation } from "./use-token-navigation";

/** A chunk of its own: few pages are opened with a token. */
export default function FollowTokenSignIn() {
  useTokenNavigation();
  return null;
}
