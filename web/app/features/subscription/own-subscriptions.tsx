import { NETWORK_FAILURE } from "~/lib/http/request";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/subscription";
import type { User } from "~/lib/session/session";
import { Button } from "~/ui/button/button";
import { ContentButton } from "~/ui/button/content-button";
import { Icon } from "~/ui/icon/icon";
import { Link } from "~/ui/link/link";
import { Notice } from "~/ui/notice/notice";
import { SplitSection } from "~/ui/split-section/split-section";
import { StatusNotice } from "./actions/status-notice";
import type { Subscription } from "./api";
import { Payment } from "./card/payment";
import { useCardForm } from "./card/use-card-form";
import { Plan } from "./plan/plan";
import { Purchases } from "./receipts/purchases";
import type { ReceiptParties } from "./receipts/receipt-dialog";
import { Receipts } from "./receipts/receipts";
import { usePurchases } from "./receipts/use-purchases";
import { Skeleton } from "./skeleton";
import { isStale, type LoadedState } from "./state";
import type { SubscriptionPageProps } from "./subscription-page";
import { groupSubscriptions, ownsLifetime } from "./subscription-status";
import { useProductName } from "./subscription-texts";
import { type Subscriptions, useSubscriptions } from "./use-subscriptions";

interface OwnSubscriptionsProps extends Pick<SubscriptionPageProps, "empty" | "seller" | "stripe"> {
  user: User;
}

export function OwnSubscriptions({ user, empty, seller, stripe }: OwnSubscriptionsProps) {
  const t = useTexts();
  const subscriptions = useSubscriptions();
  const purchases = usePurchases();
  const { state, retry } = subscriptions;
  if (state.at === "loading" || purchases.state.at === "loading") return <Skeleton />;
  if (state.at === "failed") {
    return (
      <LoadFailed
        text={t(state.problem.code === NETWORK_FAILURE ? "errors.network" : "errors.generic")}
        onRetry={retry}
      />
    );
  }
  return <SubscriptionList {...{ user, empty, seller, stripe, state, subscriptions, purchases }} />;
}

interface SubscriptionListProps extends OwnSubscriptionsProps {
  state: LoadedState;
  subscriptions: Subscriptions;
  purchases: ReturnType<typeof usePurchases>;
}

function SubscriptionList({ user, empty, seller, stripe, state, subscriptions, purchases }: SubscriptionListProps) {
  const t = useTexts();
  const now = new Date();
  const parties = { seller, buyer: { name: user.fullName, email: user.email } };
  const bought = purchases.state.at === "known" ? purchases.state.list : [];
  const { current, unconfirmed, past } = groupSubscriptions(state.list, now);
  const { notice } = state;
  const isPastNotice = notice && !current.some(({ subscription_id }) => subscription_id === notice.id);
  return (
    <div className="space-y-8">
      {isStale(state) && <LoadFailed text={t("subscription.stale")} onRetry={subscriptions.retry} />}
      {isPastNotice && (
        <StatusNotice notice={notice} subscription={state.list.find((one) => one.subscription_id === notice.id)} />
      )}
      {unconfirmed.length > 0 && (
        <Notice tone="info">
          <p>{t("subscription.next.unconfirmed")}</p>
          <ContentButton button={empty.button} className="mt-4" />
        </Notice>
      )}
      {current.map((subscription) => (
        <SubscriptionSection
          key={subscription.subscription_id}
          {...{ user, seller, stripe, state, subscriptions, subscription, now }}
        />
      ))}
      {current.length === 0 && unconfirmed.length === 0 && !ownsLifetime(bought) && <Empty {...empty} />}
      {purchases.state.at === "failed" && <LoadFailed text={t("errors.generic")} onRetry={purchases.retry} />}
      {bought.length > 0 && <Purchases purchases={bought} parties={parties} />}
      {past.length > 0 && <PastSubscriptions subscriptions={past} parties={parties} />}
      {state.list.length + bought.length > 0 && <Withdrawal />}
    </div>
  );
}

interface SubscriptionSectionProps extends Omit<SubscriptionListProps, "empty" | "purchases"> {
  subscription: Subscription;
  now: Date;
}

function SubscriptionSection({
  user,
  seller,
  stripe,
  state,
  subscriptions,
  subscription,
  now,
}: SubscriptionSectionProps) {
  const t = useTexts();
  const { subscription_id: id } = subscription;
  const buyer = { name: user.fullName, email: user.email };
  const card = useCardForm();
  const common = { state, subscription, now, runAction: subscriptions.runAction, card };
  return (
    <div>
      <Plan {...common} />
      <div className="mt-8">
        <Payment {...common} holder={buyer} stripe={stripe} />
        <SplitSection title={t("subscription.receipts")}>
          <Receipts key={id} subscription={subscription} parties={{ seller, buyer }} />
        </SplitSection>
      </div>
    </div>
  );
}

/** EU law requires a link to the withdrawal form next to the contract. */
function Withdrawal() {
  const t = useTexts();
  return (
    <p className="border-t border-hairline pt-6 text-sm text-muted">
      {t("subscription.withdraw.text")}{" "}
      <Link url="/withdraw" className="font-bold text-action underline decoration-1 underline-offset-4">
        {t("subscription.withdraw.link")}
      </Link>
    </p>
  );
}

function LoadFailed({ text, onRetry }: { text: string; onRetry: () => void }) {
  const t = useTexts();
  return (
    <Notice tone="danger">
      <p>{text}</p>
      <Button variant="secondary" size="compact" onClick={onRetry}>
        {t("errors.retry")}
      </Button>
    </Notice>
  );
}

function Empty({ title, text, button }: SubscriptionPageProps["empty"]) {
  return (
    <div className="rounded-card bg-card p-6 shadow-raised md:p-10">
      <span className="grid size-14 place-items-center rounded-pill bg-mist text-action">
        <Icon name="feature-lotus" className="size-7" />
      </span>
      <h2 className="display mt-4 text-2xl">{title}</h2>
      <p className="mt-2 max-w-text text-muted">{text}</p>
      <ContentButton button={button} className="mt-6 max-xs:w-full" />
    </div>
  );
}

interface PastSubscriptionsProps {
  subscriptions: Subscription[];
  parties: ReceiptParties;
}

function PastSubscriptions({ subscriptions, parties }: PastSubscriptionsProps) {
  const t = useTexts();
  const nameOf = useProductName();
  return (
    <SplitSection title={t("subscription.past")}>
      {subscriptions.map((subscription) => (
        <div key={subscription.subscription_id} className="space-y-3">
          <h3 className="font-semibold">{nameOf(subscription)}</h3>
          <p className="text-sm text-muted">{t("subscription.next.ended")}</p>
          <Receipts subscription={subscription} parties={parties} />
        </div>
      ))}
    </SplitSection>
  );
}
