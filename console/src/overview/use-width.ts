import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The width of an element in pixels. */
export function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (element.current === null) return;
    // Before the first paint, so that nothing below jumps.
    setWidth(Math.floor(element.current.clientWidth));
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
