import { afterEach, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { abandonCheck, sendFile } from './import-report.ts';

afterEach(() => vi.unstubAllGlobals());

/** A service of which each request waits until it is responded to, or cut off by its signal. */
function useService() {
  const requests: { address: string; isCut: () => boolean; respond: (body: unknown) => void }[] = [];
  const fetched: typeof fetch = (address, init) =>
    new Promise((resolve, reject) => {
      const signal = init?.signal ?? undefined;
      if (signal?.aborted === true) reject(signal.reason);
      signal?.addEventListener('abort', () => reject(signal.reason));
      const respond = (body: unknown): void => resolve(Response.json(body));
      requests.push({ address: String(address), isCut: () => signal?.aborted === true, respond });
    });
  vi.stubGlobal('fetch', fetched);
  return requests;
}

const send = (dryRun: boolean) =>
  sendFile(`/import/catalog?dryRun=${dryRun}`, 'text/csv', '', z.string(), 'unreachable');

it('a file ends the check before it, as the service takes one at a time, and is sent then', async () => {
  const requests = useService();
  const first = send(true);
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  const second = send(true);
  expect([await first, requests[0]?.isCut()]).toEqual(['unreachable', true]);
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  requests[1]?.respond('checked');
  expect(await second).toBe('checked');
});

it('a file waits for an import, which nothing ends', async () => {
  const requests = useService();
  const imported = send(false);
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  abandonCheck();
  const checked = send(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(requests.map(({ isCut }) => isCut())).toEqual([false]);
  requests[0]?.respond('imported');
  expect(await imported).toBe('imported');
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  requests[1]?.respond('checked');
  expect(await checked).toBe('checked');
});
