import type { ReactNode, RefObject } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { SecureNoteLayout } from "../form/secure-note";
import { TOTAL_AMOUNT, TOTAL_NAME, TOTAL_ROW } from "./order-summary";
import { TrialTimeline } from "./trial-timeline";

/**
 * Skeletons with the size of the final content: they use the same layout, with bars in place of what the offer brings.
 */

const PRICE = "0000,00";
/** As wide as the longest date of a year. */
const DAY = { text: "00 0000000000", iso: "" };
const DAYS = { today: DAY, reminder: DAY, charge: DAY };

interface SkeletonProps {
  /** Content announces a trial. */
  hasTrial: boolean;
}

interface FormLayoutProps extends SkeletonProps {
  /** Label of the button from content. */
  submitLabel: string | null;
}

interface FormSkeletonProps extends FormLayoutProps {
  /** Another element announces the loading. */
  isAnnounced?: boolean;
}

export function FormSkeleton({ isAnnounced = false, ...props }: FormSkeletonProps) {
  const t = useTexts();
  return (
    <div role={isAnnounced ? undefined : "status"}>
      <span className="sr-only">{t("checkout.loading")}</span>
      <FormLayout {...props} />
    </div>
  );
}

interface FormContainerProps extends FormLayoutProps {
  container: RefObject<HTMLDivElement | null>;
  children: ReactNode;
}

/** Reserves the skeleton's space for the form that follows: no payment method moves content below. */
export function FormContainer({ container, children, ...shape }: FormContainerProps) {
  return (
    <div className="grid grid-cols-1 *:[grid-area:1/1]">
      <div className="invisible [&_.skeleton]:animate-none">
        <FormLayout {...shape} />
      </div>
      <div ref={container} tabIndex={-1} className="outline-none">
        {children}
      </div>
    </div>
  );
}

/** The layout of the card form, with its tallest variants. */
function FormLayout({ hasTrial, submitLabel }: FormLayoutProps) {
  const t = useTexts();
  const renewal = t("checkout.renewal", { count: 12, price: PRICE });
  const trial = { fee: PRICE, renewal, date: DAY.text };
  const terms = hasTrial
    ? longer(t("checkout.termsTrial", trial), t("checkout.termsPaidTrial", trial))
    : t("checkout.terms", { renewal });
  const pageLabel = submitLabel ?? t(hasTrial ? "checkout.startTrial" : "checkout.payNow");
  // Whether the law prescribes the label depends on the country.
  const label = longer(pageLabel, t("checkout.orderToPay"));
  return (
    <div aria-hidden="true" className="rounded-card bg-card p-5 shadow-raised md:p-8">
      <p className="display mb-6 text-xl">
        <TextBar text={t("checkout.card")} />
      </p>
      <div className="mb-5 text-sm">
        <p>
          <TextBar className="w-32" />
        </p>
        <p>
          <TextBar className="w-48" />
        </p>
      </div>
      <div className="mt-6 space-y-5">
        <FieldBar label={t("checkout.cardNumber")} />
        <div className="grid grid-cols-2 gap-4">
          <FieldBar label={t("checkout.expiry")} />
          <FieldBar label={t("checkout.cvc")} />
        </div>
      </div>
      <div className="mt-6 space-y-4">
        <p className="shape skeleton text-pretty text-sm" data-words={terms} />
        <div
          className="shape skeleton min-h-12 rounded-pill border border-transparent px-7 py-2.5 text-center text-base leading-snug font-bold"
          data-words={label}
        />
      </div>
      <div className="mt-4">
        <SecureNoteLayout>
          <span className="me-2 inline-block size-4" />
          {/* Wraps where the text will wrap. */}
          <span className="shape skeleton box-decoration-clone" data-words={t("checkout.secure")} />
        </SecureNoteLayout>
      </div>
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
          {hasTrial ? (
            <TextBar text={t("checkout.period", { count: 12 })} className="bg-card whitespace-nowrap" />
          ) : (
            <TextBar className="w-16 bg-card" />
          )}
        </p>
      </div>
      <div aria-hidden="true">
        <div className="mt-3 flex min-h-11 flex-col justify-center gap-2.5 text-sm md:mt-5 lg:min-h-0">
          <TextBar className="w-3/4 bg-card" />
          {hasTrial && (
            <>
              <TextBar className="w-full bg-card max-lg:hidden" />
              <TextBar className="w-full bg-card max-lg:hidden" />
            </>
          )}
        </div>
        {hasTrial && (
          <div inert className="mt-5 grid *:mt-0 *:[grid-area:1/1] [&>div]:invisible">
            <TrialTimeline price={PRICE} trialFee={null} timeline={DAYS} />
            <TrialTimeline price={PRICE} trialFee={PRICE} timeline={DAYS} />
            <TimelineBars />
          </div>
        )}
        <p className={TOTAL_ROW}>
          <TextBar className={`w-24 bg-card ${TOTAL_NAME}`} />
          <TextBar className={`w-20 bg-card ${TOTAL_AMOUNT}`} />
        </p>
      </div>
    </div>
  );
}

const STEPS = ["unlock", "bell", "card"];

/** Spread over the taller variant, close to the final steps. */
function TimelineBars() {
  return (
    <span className="flex flex-col justify-between">
      <TextBar className="w-2/5 bg-card text-sm" />
      {STEPS.map((step) => (
        <span key={step} className="flex gap-3">
          <span className="skeleton size-9 shrink-0 rounded-pill bg-card" />
          <span className="grow text-sm">
            <TextBar className="w-1/3 bg-card" />
            <TextBar className="w-4/5 bg-card" />
          </span>
        </span>
      ))}
    </span>
  );
}

/** Reserves the skeleton's space for the order: price and dates of a trial move nothing below. */
export function SummaryPlaceholder({ title }: { title: string }) {
  return (
    <div inert className="invisible [&_.skeleton]:animate-none">
      <SummarySkeleton title={title} hasTrial />
    </div>
  );
}

function FieldBar({ label }: { label: string }) {
  return (
    <div>
      <p className="mb-1.5 text-sm font-semibold">
        <TextBar text={label} />
      </p>
      <div className="skeleton h-12" />
    </div>
  );
}

interface TextBarProps {
  /** Gives the bar its width and height. */
  text?: string;
  className?: string;
}

/** A bar in place of a text: not readable, searchable or announced. */
export function TextBar({ text = "\u00a0", className = "" }: TextBarProps) {
  return <span className={`shape skeleton inline-block scale-y-75 ${className}`} data-words={text} />;
}
