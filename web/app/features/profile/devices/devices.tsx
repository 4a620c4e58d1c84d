import { useState } from "react";
import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { localeOf, locales } from "~/lib/locale";
import { signOut } from "~/lib/session/session";
import { Button } from "~/ui/button/button";
import { ConfirmDialog } from "~/ui/dialog/confirm-dialog";
import { Icon } from "~/ui/icon/icon";
import { Notice } from "~/ui/notice/notice";
import { SplitSection } from "~/ui/split-section/split-section";
import type { Device } from "../api";
import { useProblemText } from "../form-notice";
import { type Devices as DeviceList, useDevices } from "./use-devices";

export function Devices() {
  const t = useTexts();
  const devices = useDevices();
  const nameOf = useDeviceName();
  return (
    <SplitSection title={t("profile.devices.title")} text={t("profile.devices.text")}>
      {devices.signedOutDevice && (
        <Notice tone="success">
          <p>{t("profile.devices.signedOut", { device: nameOf(devices.signedOutDevice) })}</p>
        </Notice>
      )}
      <DevicesProblem devices={devices} />
      {devices.list ? <List devices={devices} list={devices.list} /> : !devices.problem && <ListSkeleton />}
      <SignOutEverywhere />
    </SplitSection>
  );
}

function DevicesProblem({ devices: { problem, reload } }: { devices: DeviceList }) {
  const t = useTexts();
  const message = useProblemText();
  if (!problem) return null;
  return (
    <Notice tone="danger">
      <p>{message(problem)}</p>
      <Button variant="secondary" size="compact" onClick={reload}>
        {t("errors.retry")}
      </Button>
    </Notice>
  );
}

function List({ devices, list }: { devices: DeviceList; list: Device[] }) {
  return (
    <ul className="divide-y divide-hairline rounded-card bg-card px-5 shadow-rest">
      {list.map((device) => (
        <Row key={device.id} device={device} devices={devices} />
      ))}
    </ul>
  );
}

function Row({ device, devices }: { device: Device; devices: DeviceList }) {
  const t = useTexts();
  const name = useDeviceName()(device);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
      <span className="grid size-11 shrink-0 place-items-center rounded-pill bg-mist text-action max-xs:hidden">
        <Icon name="device" />
      </span>
      <div className="min-w-0 grow basis-32">
        <p className="font-semibold">{name}</p>
        <p className="text-sm text-muted">
          {device.is_current ? t("profile.devices.here") : <LastSeen at={device.last_seen_at} />}
        </p>
      </div>
      <Button
        variant="secondary"
        size="compact"
        busy={devices.signingOutId === device.id}
        aria-label={t("profile.devices.signOutOf", { device: name })}
        onClick={() => devices.signOut(device)}
      >
        {t("auth.signOut")}
      </Button>
    </li>
  );
}

function LastSeen({ at }: { at: string | null }) {
  const t = useTexts();
  const { tag } = locales[localeOf(useLocation().pathname)];
  if (!at) return null;
  const when = new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));
  return t("profile.devices.seen", { when });
}

function useDeviceName(): (device: Device) => string {
  const t = useTexts();
  return ({ browser, system }) => {
    if (browser && system) return t("profile.devices.named", { browser, system });
    return browser || system || t("profile.devices.unnamed");
  };
}

function SignOutEverywhere() {
  const t = useTexts();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const decided = async (confirmed: boolean) => {
    setAsking(false);
    if (!confirmed) return;
    setBusy(true);
    setFailed(!(await signOut("/api/auth/logout-everywhere")));
    setBusy(false);
  };
  return (
    <>
      {failed && (
        <Notice tone="danger">
          <p>{t("errors.generic")}</p>
        </Notice>
      )}
      <Button variant="secondary" size="compact" busy={busy} onClick={() => setAsking(true)}>
        {t("profile.devices.everywhere")}
      </Button>
      {asking && (
        <ConfirmDialog
          kind="warning"
          title={t("profile.devices.everywhereTitle")}
          text={t("profile.devices.everywhereText")}
          confirmLabel={t("profile.devices.everywhere")}
          cancelLabel={t("profile.cancel")}
          onClose={(confirmed) => void decided(confirmed)}
        />
      )}
    </>
  );
}

function ListSkeleton() {
  return (
    <div aria-hidden="true" className="space-y-3">
      <div className="skeleton h-19" />
      <div className="skeleton h-19" />
    </div>
  );
}
