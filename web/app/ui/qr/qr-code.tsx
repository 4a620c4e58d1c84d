import { useTexts } from "~/lib/i18n";

interface QrCodeProps {
  drawing: { size: number; path: string };
}

/** Dark on white in both schemes: some cameras cannot read inverted codes. */
export function QrCode({ drawing }: QrCodeProps) {
  const t = useTexts();
  return (
    <svg
      viewBox={`0 0 ${drawing.size} ${drawing.size}`}
      width="200"
      height="200"
      role="img"
      aria-label={t("success.qr")}
      shapeRendering="crispEdges"
      className="text-night-deep"
    >
      <path d={drawing.path} fill="currentColor" />
    </svg>
  );
}
