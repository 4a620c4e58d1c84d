import { useState } from "react";
import { Avatar } from "~/ui/art/avatar";
import { Button } from "~/ui/button/button";
import type { ButtonVariant } from "~/ui/button/styles";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { ConfirmDialog } from "~/ui/dialog/confirm-dialog";
import { Field } from "~/ui/field/field";
import { PasswordField } from "~/ui/field/password-field";
import { ICONS, Icon } from "~/ui/icon/icon";
import { Notice } from "~/ui/notice/notice";
import { ProgressBar } from "~/ui/progress-bar/progress-bar";
import { Spinner } from "~/ui/spinner/spinner";
import { SuccessTick } from "~/ui/success-tick/success-tick";

const VARIANTS: ButtonVariant[] = ["primary", "secondary", "quiet", "light"];

/** UI components in states that content does not reach. */
export function Parts() {
  return (
    <section aria-label="Parts" className="wrap section space-y-12" dir="ltr" lang="en">
      <Buttons />
      <Fields />
      <Dialogs />
      <div className="grid gap-4 md:grid-cols-3">
        <Notice tone="danger" title="That did not work" role="status">
          Check the two fields above.
        </Notice>
        <Notice tone="success">Saved.</Notice>
        <Notice tone="info">You can change this later.</Notice>
      </div>
      <div className="flex flex-wrap items-center gap-8">
        <Spinner />
        <SuccessTick />
        <Avatar name="Ada Lindqvist" />
        <div className="w-60">
          <ProgressBar label="Progress" value={40} valueText="40%" />
        </div>
        <span className="skeleton block h-12 w-60" />
      </div>
      <ul className="flex flex-wrap gap-5" aria-label="Icons">
        {ICONS.map((name) => (
          <li key={name} title={name}>
            <Icon name={name} className="size-6" />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Buttons() {
  return (
    <div className="space-y-4">
      {VARIANTS.map((variant) => (
        <div key={variant} className="flex flex-wrap items-center gap-3">
          <Button variant={variant}>Begin {variant}</Button>
          <Button variant={variant} size="compact">
            Compact {variant}
          </Button>
          <Button variant={variant} disabled>
            Disabled {variant}
          </Button>
          <Button variant={variant} busy>
            Busy {variant}
          </Button>
        </div>
      ))}
    </div>
  );
}

function Fields() {
  const [isTicked, setTicked] = useState(true);
  return (
    <div className="grid gap-6 md:grid-cols-3">
      <Field id="part-name" label="Name" hint="As you like to be called" />
      <Field id="part-mail" label="E-mail" error="Please enter a valid e-mail address." defaultValue="ada@" />
      <PasswordField id="part-password" label="Password" hint="At least 6 characters" />
      <Checkbox id="part-yes" checked={isTicked} onChange={setTicked}>
        I agree.
      </Checkbox>
      <Checkbox id="part-no" checked={false} onChange={() => undefined} error="Please tick this box to go on.">
        And to this.
      </Checkbox>
    </div>
  );
}

const QUESTIONS = [
  { kind: "success", title: "Your session is booked", text: "We have sent you an e-mail.", confirmLabel: "Good" },
  {
    kind: "warning",
    title: "Cancel this session?",
    text: "The hour goes back to your credits. Your coach is told at once.",
    confirmLabel: "Cancel the session",
    cancelLabel: "Keep it",
  },
  { kind: "fail", title: "That did not work", text: "Nothing was booked. Please try again.", confirmLabel: "Close" },
] as const;

function Dialogs() {
  const [openIndex, setOpenIndex] = useState<number | null>(null);
  const [answer, setAnswer] = useState("");
  const question = openIndex === null ? null : QUESTIONS[openIndex];
  const close = (confirmed: boolean) => {
    setOpenIndex(null);
    setAnswer(confirmed ? "Yes" : "No");
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      {QUESTIONS.map(({ kind }, index) => (
        <Button key={kind} variant="secondary" aria-haspopup="dialog" onClick={() => setOpenIndex(index)}>
          Ask: {kind}
        </Button>
      ))}
      <output>{answer}</output>
      {question && <ConfirmDialog {...question} onClose={close} />}
    </div>
  );
}
