import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { retryWhileUnavailable } from '../../src/database/connection/retry.ts';
import { StartupError } from '../../src/errors.ts';

const away = Object.assign(new Error('starting up'), { code: '57P03' });

describe('what a start needs of the database', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is done again while that is out of reach', async () => {
    const work = vi.fn<() => Promise<string>>().mockRejectedValueOnce(away).mockResolvedValue('done');
    expect(await retryWhileUnavailable(work)).toBe('done');
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('is not done again for another reason', async () => {
    const work = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('wrong'));
    await expect(retryWhileUnavailable(work)).rejects.toThrow('wrong');
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('is given up with a word for the operator', async () => {
    const work = vi.fn(async () => {
      vi.advanceTimersByTime(10_000);
      throw away;
    });
    await expect(retryWhileUnavailable(work)).rejects.toThrow(
      new StartupError('The database does not respond in time.'),
    );
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('is given up when the start is', async () => {
    const reason = new Error('stopped');
    await expect(retryWhileUnavailable(() => Promise.reject(away), AbortSignal.abort(reason))).rejects.toThrow(reason);
  });
});
