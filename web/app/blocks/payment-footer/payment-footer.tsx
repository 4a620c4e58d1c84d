import { LegalLink } from "~/ui/link/legal-link";
import { Picture } from "~/ui/picture/picture";
import type { BlockProps } from "../registry";

export default function PaymentFooter({ block }: BlockProps<"PaymentFooter">) {
  return (
    <section className="wrap wrap-narrow pt-2 pb-12 text-center">
      <div className="border-t border-hairline pt-8">
        {block.logos.length > 0 && (
          <ul className="flex flex-wrap items-center justify-center gap-x-6 gap-y-3">
            {block.logos.map((logo) => (
              <li key={logo.url}>
                <Picture image={logo} className="h-8 w-auto" />
              </li>
            ))}
          </ul>
        )}
        {block.body && <p className="mx-auto mt-4 max-w-text text-2xs text-balance text-muted">{block.body}</p>}
        {block.links.length > 0 && (
          <ul className="mt-3 flex flex-wrap justify-center gap-x-6">
            {block.links.map((link) => (
              <li key={link.url}>
                <LegalLink
                  url={link.url}
                  noFollow={link.noFollow}
                  className="inline-flex min-h-11 items-center text-sm text-muted underline underline-offset-4 transition duration-200 hover:text-ink"
                >
                  {link.text}
                </LegalLink>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
