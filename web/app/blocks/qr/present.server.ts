import { drawQr } from "~/ui/qr/draw-qr";
import type { Data } from "../types";

export function presentQr(block: Data<"Qr">) {
  return { ...block, drawing: block.image ? null : drawQr(block.url) };
}
