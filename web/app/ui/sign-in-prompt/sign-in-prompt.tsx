import { useLocation } from "react-router";
import { signInUrl } from "~/lib/links/sign-up-url";
import { ButtonLink } from "../button/button-link";

interface SignInPromptProps {
  /** Why one should. */
  text: string;
  label: string;
  className?: string;
}

/** For visitors. Members never see it: it is there until the browser knows who is looking. */
export function SignInPrompt({ text, label, className }: SignInPromptProps) {
  const { pathname } = useLocation();
  return (
    <div className={`rounded-card bg-mist p-5 md:p-6 ${className ?? ""}`}>
      <p className="text-balance">{text}</p>
      <ButtonLink url={signInUrl(pathname)} className="mt-4">
        {label}
      </ButtonLink>
    </div>
  );
}
