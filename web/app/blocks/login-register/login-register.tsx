import { useAfterSignIn } from "~/features/account/after-sign-in";
import { LoginRegister as LoginRegisterFeature } from "~/features/account/login-register";
import { SocialButtons } from "~/features/social/social-buttons";
import { Dusk } from "~/ui/art/dusk";
import type { BlockProps } from "../registry";

export default function LoginRegister({ block }: BlockProps<"LoginRegister">) {
  const { social } = block;
  const afterSignIn = useAfterSignIn();
  return (
    <section className="wrap wrap-narrow grid items-stretch gap-16 py-8 md:py-12 lg:grid-cols-2">
      <div className="mx-auto w-full max-w-form lg:mx-0 lg:py-8">
        <header className="mb-8">
          <h1 className="display text-3xl">{block.title}</h1>
          {block.texts.description && <p className="mt-3 text-muted">{block.texts.description}</p>}
        </header>
        <LoginRegisterFeature
          initial={block.status}
          confirmEmail={block.emailConfirmation}
          blockPaste={block.blockPaste}
          disabled={block.disabled}
          signUpLabel={block.texts.signUpSubmit}
          signInLabel={block.texts.signInSubmit}
          termsHtml={block.texts.termsNoteHtml}
          social={
            social ? (context) => <SocialButtons {...context} providers={social} onSignedIn={afterSignIn} /> : undefined
          }
        />
      </div>
      <Dusk seed={block.id} className="hidden min-h-[36rem] lg:block" />
    </section>
  );
}
