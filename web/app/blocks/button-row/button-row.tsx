import { ContentButton } from "~/ui/button/content-button";
import type { BlockProps } from "../registry";

export default function ButtonRow({ block }: BlockProps<"ButtonRow">) {
  return (
    <div
      className={`wrap afterword flex flex-wrap items-start gap-x-4 gap-y-3 py-8 in-[.nested]:py-2 ${block.align === "center" ? "justify-center" : "justify-start"}`}
    >
      {block.buttons.map((button) => (
        <ContentButton key={button.url + button.text} button={button} className="max-xs:w-full" />
      ))}
    </div>
  );
}
