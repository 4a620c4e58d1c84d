import { loadGlobal } from "../browser/load-script";

/** The part of YooKassa's widget that is used here. */
interface Widget {
  on: (event: "success" | "fail", listener: () => void) => void;
  render: (elementId: string) => Promise<void>;
  destroy: () => void;
}

interface WidgetConfig {
  confirmation_token: string;
  error_callback: (fault: { error: string }) => void;
}

declare global {
  interface Window {
    YooMoneyCheckoutWidget?: new (config: WidgetConfig) => Widget;
  }
}

interface WidgetHandlers {
  success: () => void;
  fail: () => void;
  /** The widget cannot be shown: its token has expired. */
  broken: () => void;
}

/** Renders the widget into an element. The returned function removes it. */
export async function openYookassaWidget(
  url: string,
  token: string,
  elementId: string,
  handlers: WidgetHandlers,
): Promise<() => void> {
  const Widget = await loadGlobal(url, () => window.YooMoneyCheckoutWidget);
  const widget = new Widget({ confirmation_token: token, error_callback: handlers.broken });
  widget.on("success", handlers.success);
  widget.on("fail", handlers.fail);
  await widget.render(elementId);
  return () => widget.destroy();
}
