import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { throttle } from './throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('runs at once, then at most once per interval, and never forgets the last call', () => {
  const run = vi.fn();
  const throttled = throttle(run, 1_000);

  throttled();
  expect(run).toHaveBeenCalledTimes(1);
  for (let call = 0; call < 10; call += 1) throttled();
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(run).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5_000);
  expect(run).toHaveBeenCalledTimes(2);
});
