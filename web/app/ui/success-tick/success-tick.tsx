import { Icon } from "../icon/icon";

export function SuccessTick() {
  return (
    <span className="success-tick grid size-16 place-items-center rounded-pill bg-success-tint text-success">
      <Icon name="check" className="size-8" />
    </span>
  );
}
