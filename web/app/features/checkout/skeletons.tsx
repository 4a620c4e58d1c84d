import type { ReactNode, RefObject } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Timeline } from "./timeline";

/**
 * The shapes of what is coming, in the place it will stand and as large: they are made of the same lines, with something in place
 * of what only the offer tells.
 */

const PRICE = "0000,00";
/** As wide as the longest of a year. */
const DAY = { text: "00 0000000000", iso: "" };
const DAYS = { today: DAY, reminder: DAY, charge: DAY };

interface SkeletonProps {
  /** By what content says of it, there will be a trial. */
  hasTrial: boolean;
}

interface FormSkeletonProps extends SkeletonProps {
  /** Something else reads it out. */
  isTold?: boolean;
}

export function FormSkeleton({ isTold = false, ...props }: FormSkeletonProps) {
  const t = useTexts();
  return (
    <div role={isTold ? undefined : "status"}>
      <span className="sr-only">{t("checkout.loading")}</span>
      <FormShape {...props} />
    </div>
  );
}

interface FormPlaceProps extends SkeletonProps {
  place: RefObject<HTMLDivElement | null>;
  children: ReactNode;
}

/** Keeps the room of the skeleton for whatever follows it: by which ways one can pay moves nothing below. */
export function FormPlace({ place, hasTrial, children }: FormPlaceProps) {
  return (
    <div className="grid grid-cols-1 *:[grid-area:1/1]">
      <div className="invisible [&_.skeleton]:animate-none">
        <FormShape hasTrial={hasTrial} />
      </div>
      <div ref={place} tabIndex={-1} className="outline-none">
        {children}
      </div>
    </div>
  );
}

/** The card's fields: of what it may become, what takes the most room. */
function FormShape({ hasTrial }: SkeletonProps) {
  const t = useTexts();
  const renewal = t("checkout.renewal", { count: 12, price: PRICE });
  const trial = { fee: PRICE, renewal, date: DAY.text };
  const terms = hasTrial
    ? longer(t("checkout.termsTrial", trial), t("checkout.termsPaidTrial", trial))
    : t("checkout.terms", { renewal });
  return (
    <div aria-hidden="true" className="rounded-card bg-card p-5 shadow-raised md:p-8">
      <p className="display mb-6 text-xl">
        <Shape words={t("checkout.card")} />
      </p>
      <div className="mb-5 text-sm">
        <p>
          <Shape className="w-32" />
        </p>
        <p>
          <Shape className="w-48" />
        </p>
      </div>
      <div className="mt-6 space-y-5">
        <FieldShape label={t("checkout.cardNumber")} />
        <div className="grid grid-cols-2 gap-4">
          <FieldShape label={t("checkout.expiry")} />
          <FieldShape label={t("checkout.cvc")} />
        </div>
      </div>
      <div className="mt-6 space-y-4">
        <p className="shape skeleton text-pretty text-sm" data-words={terms} />
        <div className="skeleton h-12 rounded-pill" />
      </div>
      <p className="mt-4 flex items-center justify-center gap-2 text-2xs text-balance">
        <span className="size-4 shrink-0" />
        <Shape words={t("checkout.secure")} />
      </p>
    </div>
  );
}

function longer(one: string, other: string): string {
  return other.length > one.length ? other : one;
}

interface SummarySkeletonProps extends Partial<SkeletonProps> {
  title: string;
}

export function SummarySkeleton({ title, hasTrial = false }: SummarySkeletonProps) {
  const t = useTexts();
  return (
    <div className="min-h-54 rounded-card bg-mist p-5 md:p-8">
      <h2 className="sr-only">{t("checkout.summary")}</h2>
      <div className="flex items-baseline justify-between gap-4">
        <p className="text-lg font-bold">{title}</p>
        <p aria-hidden="true" className="text-sm">
          <Shape className="w-16 bg-card" />
        </p>
      </div>
      <div aria-hidden="true">
        <div className="mt-3 flex min-h-11 flex-col justify-center gap-2.5 text-sm md:mt-5 lg:min-h-0">
          <Shape className="w-3/4 bg-card" />
          {hasTrial && (
            <>
              <Shape className="w-full bg-card max-lg:hidden" />
              <Shape className="w-full bg-card max-lg:hidden" />
            </>
          )}
        </div>
        {hasTrial && (
          <div inert className="skeleton mt-5 grid bg-card *:invisible *:mt-0 *:[grid-area:1/1]">
            <Timeline price={PRICE} trialFee={null} timeline={DAYS} />
            <Timeline price={PRICE} trialFee={PRICE} timeline={DAYS} />
          </div>
        )}
        <p className="mt-5 flex items-baseline justify-between border-t border-hairline pt-5">
          <Shape className="w-24 bg-card" />
          <Shape className="w-20 bg-card text-2xl" />
        </p>
      </div>
    </div>
  );
}

/** Keeps the room of the skeleton for the order: nobody knew what its trial costs and when it ends, and neither moves what is below. */
export function SummaryRoom({ title }: { title: string }) {
  return (
    <div inert className="invisible [&_.skeleton]:animate-none">
      <SummarySkeleton title={title} hasTrial />
    </div>
  );
}

function FieldShape({ label }: { label: string }) {
  return (
    <div>
      <p className="mb-1.5 text-sm font-semibold">
        <Shape words={label} />
      </p>
      <div className="skeleton h-12" />
    </div>
  );
}

interface ShapeProps {
  /** As wide and as high as these. */
  words?: string;
  className?: string;
}

/** A bar in the place of words. Nobody can read those, find them in the page or have them read out. */
export function Shape({ words = "\u00a0", className = "" }: ShapeProps) {
  return <span className={`shape skeleton inline-block scale-y-75 ${className}`} data-words={words} />;
}
