/** HTML the content service made from Markdown and sanitised when the page was published. Nothing else goes here. */
export function TrustedHtml({ html, className }: { html: string; className?: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised at publication, see above.
  return <div className={className} dangerouslySetInnerHTML={{ __html: html }} />;
}
