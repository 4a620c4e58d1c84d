import { useEffect, useState } from "react";
import type { Problem } from "~/lib/http/request";
import { signOut } from "~/lib/session/session";
import { type Device, loadDevices, signOutDevice } from "../api";

export interface Devices {
  /** Null while loading. */
  list: Device[] | null;
  problem: Problem | null;
  /** The device signed out last. */
  signedOutDevice: Device | null;
  /** The device being signed out. */
  signingOutId: string | null;
  signOut: (device: Device) => void;
  reload: () => void;
}

export function useDevices(): Devices {
  const [list, setList] = useState<Device[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [signedOutDevice, setSignedOutDevice] = useState<Device | null>(null);
  const [signingOutId, setSigningOutId] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks anew.
  useEffect(() => {
    let isCurrent = true;
    void loadDevices().then((answer) => {
      if (!isCurrent) return;
      setProblem(answer.ok ? null : answer.problem);
      if (answer.ok) setList(answer.value.devices);
    });
    return () => {
      isCurrent = false;
    };
  }, [attempt]);

  const leave = async (device: Device) => {
    if (signingOutId) return;
    setSigningOutId(device.id);
    setSignedOutDevice(null);
    if (device.is_current) {
      await signOut();
      return setSigningOutId(null);
    }
    const answer = await signOutDevice(device.id);
    setSigningOutId(null);
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    setSignedOutDevice(device);
    setList((before) => before?.filter(({ id }) => id !== device.id) ?? null);
  };

  return {
    list,
    problem,
    signedOutDevice,
    signingOutId,
    signOut: (device) => void leave(device),
    reload: () => setAttempt((before) => before + 1),
  };
}
