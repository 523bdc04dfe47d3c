import { useEffect, useEffectEvent } from 'react';

/** Handles each event of the window; `capture`: before the elements of the page do. */
export function usePageEvent<Type extends keyof WindowEventMap>(
  type: Type,
  handle: (event: WindowEventMap[Type]) => void,
  capture = false,
): void {
  const listener = useEffectEvent(handle);
  useEffect(() => {
    const call = (event: WindowEventMap[Type]): void => listener(event);
    window.addEventListener(type, call, capture);
    return () => window.removeEventListener(type, call, capture);
  }, [type, capture]);
}
