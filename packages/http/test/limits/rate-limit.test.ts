import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createFixedWindows, createRateLimit } from '../../src/limits/rate-limit.ts';

it('a rate limit counts each caller in windows of a minute, says what is left, and rejects what is beyond', () => {
  let rejected = 0;
  const limit = createRateLimit(2, () => (rejected += 1));
  const send = (caller: string) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const work = () => limit.count(caller, response);
    const headers = () => [response.getHeader('RateLimit-Policy'), response.getHeader('RateLimit')];
    return { work, headers };
  };
  const policy = '"default";q=2;w=60';

  for (const left of [1, 0]) {
    expect(limit.isExceeded('ada')).toBe(false);
    const { work, headers } = send('ada');
    work();
    expect(headers()).toEqual([policy, `"default";r=${left};t=60`]);
  }
  const { work, headers } = send('ada');
  expect(limit.isExceeded('ada')).toBe(true);
  expect(work).toThrow(expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: 60 }));
  expect([headers(), rejected]).toEqual([[policy, '"default";r=0;t=60'], 1]);
  send('eve').work();
});

it('a window ends a minute after its first count, however many have come since', () => {
  const now = vi.spyOn(performance, 'now');
  onTestFinished(() => now.mockRestore());
  const windows = createFixedWindows();
  for (const [second, count, leftMs] of [
    [1, 1, 60_000],
    [60, 2, 1_000],
    [62, 1, 60_000],
  ] as const) {
    now.mockReturnValue(1_000 * second);
    expect(windows.count('ada')).toEqual({ count, leftMs });
  }
});

it('without a number there is no limit', () => {
  const limit = createRateLimit(undefined, () => undefined);
  expect(limit.isExceeded('ada')).toBe(false);
});
