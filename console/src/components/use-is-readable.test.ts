import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isOwnChange, ownChange } from './use-is-readable.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('what the screen shows is the user’s own change while that is sent, and for a moment once it is done', async () => {
  let respond: (isDone: boolean) => void = () => undefined;
  const send = () =>
    ownChange(
      new Promise<boolean>((resolve) => {
        respond = resolve;
      }),
      (isDone) => isDone,
    );
  expect(isOwnChange()).toBe(false);
  const rejected = send();
  expect(isOwnChange()).toBe(true);
  respond(false);
  await rejected;
  expect(isOwnChange()).toBe(false);

  const done = send();
  respond(true);
  await done;
  expect(isOwnChange()).toBe(true);
  vi.advanceTimersByTime(1_500);
  expect(isOwnChange()).toBe(false);
});
