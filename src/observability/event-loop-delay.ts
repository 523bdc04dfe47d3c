import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Watches how late the event loop is: the time that everything waits because something else is being computed. */
export interface EventLoopDelay {
  /** How late a timer was, on average, in the last half second. */
  delayMs(): number;
  close(): void;
}

const resolutionMs = 20;
const everyMs = 500;

/** Starts watching. */
export function monitorDelay(): EventLoopDelay {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  let late = 0;
  const timer = setInterval(() => {
    // Without a single sample the mean is no number.
    late = Math.max(0, (delay.mean || 0) / 1e6 - resolutionMs);
    delay.reset();
  }, everyMs);
  timer.unref();
  return {
    delayMs: () => late,
    close: () => {
      clearInterval(timer);
      delay.disable();
    },
  };
}
