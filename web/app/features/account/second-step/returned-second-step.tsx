import { useId } from "react";
import { useHydrated } from "~/lib/browser/hydrated";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { Button } from "~/ui/button/button";
import { Field } from "~/ui/field/field";
import { Notice } from "~/ui/notice/notice";
import { actions } from "../api";
import { CODE_WRONG, SECOND_FACTOR_REQUIRED } from "./codes";

/**
 * For browsers without scripts: hidden until the fragment of the gateway's redirect names it. The gateway reads the
 * challenge from the referrer, as it reads the token of a mailed link. Later siblings hide by `peer-has-[:target]`.
 */
export function ReturnedSecondStep() {
  const t = useTexts();
  const id = useId();
  if (useHydrated()) return null;
  return (
    <section className="peer hidden space-y-5 has-[:target]:block">
      <div id={SECOND_FACTOR_REQUIRED} className="hidden scroll-mt-24 target:block">
        <h2 className="display text-2xl">{t("secondFactor.title")}</h2>
      </div>
      <div id={CODE_WRONG} className="hidden scroll-mt-24 target:block">
        <Notice tone="danger">
          <p>{t("secondFactor.wrong")}</p>
        </Notice>
      </div>
      <form method="post" action={actions.secondStep} className="space-y-5">
        <Field
          id={id}
          name="code"
          label={t("secondFactor.anyCode")}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          required
        />
        <Button type="submit" className="w-full">
          {t("auth.signIn")}
        </Button>
      </form>
    </section>
  );
}
