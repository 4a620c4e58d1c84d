import { useEffect, useRef } from "react";
import { isIos } from "../browser/phone";
import { useQuery } from "../browser/query";
import { useSession } from "../session/session";
import { useAutologin } from "./autologin";

/** On iOS, opens the app for members whose link asks for it: there, no link opens it by itself. */
export function useAutoSignin(): void {
  const isWanted = useQuery()?.get("isAutosignin") === "1";
  const isMember = useSession().state === "member";
  const autologin = useAutologin();
  const isOnTheWay = useRef(false);

  useEffect(() => {
    if (!isWanted || !isMember || !autologin || isOnTheWay.current || !isIos()) return;
    isOnTheWay.current = true;
    void autologin();
  }, [isWanted, isMember, autologin]);
}
