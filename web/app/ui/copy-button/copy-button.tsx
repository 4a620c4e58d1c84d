import { useEffect, useState } from "react";
import { Button } from "../button/button";
import { Icon } from "../icon/icon";

interface CopyButtonProps {
  text: string;
  label: string;
  /** Shown and announced after the text is copied. */
  copiedLabel: string;
}

const SHOWN_MS = 3_000;

export function CopyButton({ text, label, copiedLabel }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => {
    // Without clipboard access the text can still be selected.
    void navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <>
      <Button variant="secondary" size="compact" onClick={copy}>
        <Icon name={isCopied ? "check" : "copy"} />
        {isCopied ? copiedLabel : label}
      </Button>
      <span role="status" className="sr-only">
        {isCopied ? copiedLabel : ""}
      </span>
    </>
  );
}
