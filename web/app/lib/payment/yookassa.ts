import { loadGlobal } from "../browser/load-script";

/** The part of YooKassa's widget we use. */
interface Widget {
  on: (event: "success" | "fail", heard: () => void) => void;
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
  /** The form cannot be shown, or no more: its token is over. */
  broken: () => void;
}

/** Opens the form in the element. The returned function takes it away again. */
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
