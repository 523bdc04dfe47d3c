import { StartupError } from '@service/errors';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { retryAtStart } from '../../../src/database/availability.ts';

const away = Object.assign(new Error('starting up'), { code: '57P03' });

describe('the first database access', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is retried while the database is unreachable', async () => {
    const work = vi.fn<() => Promise<string>>().mockRejectedValueOnce(away).mockResolvedValue('done');
    expect(await retryAtStart(work)).toBe('done');
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('is not retried after another error', async () => {
    const work = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('wrong'));
    await expect(retryAtStart(work)).rejects.toThrow('wrong');
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('times out with a message for the operator', async () => {
    const work = vi.fn(async () => {
      vi.advanceTimersByTime(10_000);
      throw away;
    });
    await expect(retryAtStart(work)).rejects.toThrow(new StartupError('The database does not respond in time.'));
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('stops when the start is aborted', async () => {
    const reason = new Error('stopped');
    await expect(retryAtStart(() => Promise.reject(away), AbortSignal.abort(reason))).rejects.toThrow(reason);
  });
});
