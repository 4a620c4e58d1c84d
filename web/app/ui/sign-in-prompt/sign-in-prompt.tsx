import { useLocation } from "react-router";
import { signInUrl } from "~/lib/links/sign-up-url";
import { ButtonLink } from "../button/button-link";

interface SignInPromptProps {
  /** The reason to sign in. */
  text: string;
  label: string;
  className?: string;
}

/** For visitors; styles hide it from members until the session is known. */
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
