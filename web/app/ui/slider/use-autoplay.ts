import { useEffect, useEffectEvent, useState } from "react";
import { REDUCED_MOTION, useMedia } from "~/lib/browser/media";

export interface Autoplay {
  /** The visitor's choice; hover and focus pause it temporarily. */
  isOn: boolean;
  toggle: () => void;
  /** Props of the element whose hover or focus pauses the movement. */
  hold: {
    onPointerEnter: () => void;
    onPointerLeave: () => void;
    onFocus: () => void;
    onBlur: () => void;
  };
}

/** Advances automatically, unless hovered, focused or hidden; under reduced motion only on request. */
export function useAutoplay(everyMs: number, step: () => void): Autoplay {
  const calm = useMedia(REDUCED_MOTION);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isOn = chosen ?? !calm;
  const isMoving = isOn && !isPointed && !isFocused && everyMs > 0;
  const tick = useEffectEvent(() => {
    if (!document.hidden) step();
  });

  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(tick, everyMs);
    return () => clearInterval(timer);
  }, [isMoving, everyMs]);

  return {
    isOn,
    toggle: () => setChosen(!isOn),
    hold: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: () => setFocused(false),
    },
  };
}
