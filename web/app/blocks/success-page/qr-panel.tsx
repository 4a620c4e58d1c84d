import { Icon } from "~/ui/icon/icon";
import { Picture } from "~/ui/picture/picture";
import type { QrDrawing } from "~/ui/qr/draw-qr";
import { QrCode } from "~/ui/qr/qr-code";
import type { BlockProps } from "../registry";

interface QrPanelProps {
  qrCode: NonNullable<BlockProps<"SuccessPage">["block"]["qrCode"]>;
  drawing: QrDrawing | null;
}

/** Hidden on phones, which cannot scan their own screen. */
export function QrPanel({ qrCode, drawing }: QrPanelProps) {
  return (
    <div className="hidden rounded-card bg-card p-8 text-center shadow-raised md:block">
      <div className="mx-auto w-fit rounded-field bg-white p-2">
        {qrCode.image ? (
          <Picture image={qrCode.image} className="size-[200px]" />
        ) : (
          drawing && <QrCode drawing={drawing} />
        )}
      </div>
      {qrCode.url && (
        <p className="mt-3 text-2xs text-muted" dir="ltr">
          {qrCode.url.replace(/^https:\/\//, "")}
        </p>
      )}
      {qrCode.instructions.length > 0 && (
        <ul className="mx-auto mt-6 w-fit space-y-3 text-start text-sm">
          {qrCode.instructions.map((instruction) => (
            <li key={instruction.text} className="flex items-center gap-3">
              <span className="grid size-9 shrink-0 place-items-center rounded-pill bg-mist text-action">
                <Icon name={instruction.icon} />
              </span>
              {instruction.text}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
