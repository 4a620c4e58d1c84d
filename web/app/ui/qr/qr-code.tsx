import { useTexts } from "~/lib/i18n";
import type { QrDrawing } from "./draw-qr";

interface QrCodeProps {
  drawing: QrDrawing;
  /** What the code does; of the app's, unless another is given. */
  label?: string;
}

/** Dark on white in both schemes: some cameras cannot read inverted codes. */
export function QrCode({ drawing, label }: QrCodeProps) {
  const t = useTexts();
  return (
    <svg
      viewBox={`0 0 ${drawing.size} ${drawing.size}`}
      width="200"
      height="200"
      role="img"
      aria-label={label ?? t("success.qr")}
      shapeRendering="crispEdges"
      className="text-night-deep"
    >
      <path d={drawing.path} fill="currentColor" />
    </svg>
  );
}
