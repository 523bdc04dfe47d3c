import { afterEach, expect, it, vi } from 'vitest';
import { download } from './download.ts';

afterEach(() => vi.unstubAllGlobals());

const rejected = (body: string, status: number, code?: string) => {
  const headers = { ...(code !== undefined && { 'x-error-code': code }) };
  vi.stubGlobal('fetch', async () => new Response(body, { status, headers }));
  return download('/export/catalog.csv', 'catalog.csv');
};

it('a rejected export is said in the words of the service, by its status only without them', async () => {
  const body = JSON.stringify({ message: 'The export is too large for Excel. Please export CSV.' });
  expect([await rejected(body, 413, 'TOO_LARGE'), await rejected('<h1>Bad Gateway</h1>', 502)]).toEqual([
    'The service has rejected this: The export is too large for Excel. Please export CSV.',
    'The export failed (502). Try again.',
  ]);
});
