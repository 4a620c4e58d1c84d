import { drawQr } from "~/ui/qr/draw-qr";
import type { Data } from "../types";

export function presentSuccessPage(block: Data<"SuccessPage">) {
  const url = block.qrCode?.url;
  return { ...block, qrDrawing: url && !block.qrCode?.image ? drawQr(url) : null };
}
