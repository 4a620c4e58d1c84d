import type { ReactNode, Ref } from "react";
import { Icon, type IconName } from "../icon/icon";

type Tone = "danger" | "success" | "info";

const tones: Record<Tone, { box: string; icon: IconName }> = {
  danger: { box: "bg-danger-tint text-danger", icon: "alert" },
  success: { box: "bg-success-tint text-success", icon: "check" },
  info: { box: "bg-mist text-ink", icon: "bell" },
};

interface NoticeProps {
  tone: Tone;
  title?: string;
  children?: ReactNode;
  /** Errors are assertive, others polite. */
  role?: "alert" | "status";
  ref?: Ref<HTMLDivElement>;
}

export function Notice({ tone, title, children, role, ref }: NoticeProps) {
  const style = tones[tone];
  return (
    <div
      ref={ref}
      role={role ?? (tone === "danger" ? "alert" : "status")}
      tabIndex={-1}
      className={`flex animate-enter gap-3 rounded-field px-4 py-3 text-sm outline-none ${style.box}`}
    >
      <Icon name={style.icon} className="mt-0.5" />
      <div className="min-w-0 grow space-y-1">
        {title && <p className="font-bold">{title}</p>}
        {children}
      </div>
    </div>
  );
}
