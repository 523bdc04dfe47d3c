import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface EventLoopDelay {
  /** Mean delay of a timer over the last half second. */
  delayMs(): number;
  close(): void;
}

const resolutionMs = 20;
const everyMs = 500;

/** Measures how late the event loop is, as the mean of the last moments. */
export function monitorDelay(): EventLoopDelay {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  let delayMs = 0;
  const timer = setInterval(() => {
    // The mean is NaN without samples.
    delayMs = Math.max(0, (delay.mean || 0) / 1e6 - resolutionMs);
    delay.reset();
  }, everyMs);
  timer.unref();
  return {
    delayMs: () => delayMs,
    close: () => {
      clearInterval(timer);
      delay.disable();
    },
  };
}
