import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { parsePoint } from '../../src/academics/editions/points.ts';
import { useSharedServer } from '../support/server.ts';
import { change, instant, steps } from './random-changes.ts';

const server = useSharedServer();

const formats = ['csv', 'json', 'xlsx'] as const;

const get = (address: string): Promise<Response> => server.get(address);

async function download(format: string, query = ''): Promise<string> {
  const response = await get(`/export/catalog.${format}${query}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.status, bytes.toString()).toBe(200);
  return bytes.toString('base64');
}

it('a day is the instant of its last millisecond', () => {
  expect(parsePoint('2026-11-21')).toEqual({ at: new Date('2026-11-21T23:59:59.999Z') });
});

describe('the catalog as of an instant', () => {
  it('is what was exported then, byte for byte, in every format', async () => {
    const kept: { readonly at: string; readonly files: readonly string[] }[] = [];
    let rounds = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (round) => {
        await change(server, round);
        rounds += 1;
        if (rounds % 3 > 0) return;
        const files: string[] = [];
        for (const format of formats) files.push(await download(format));
        kept.push({ at: await instant(server), files });
      }),
      { numRuns: inject('thorough') ? 60 : 9, endOnFailure: true },
    );
    expect(kept).toHaveLength(rounds / 3);
    for (const { at, files } of kept) {
      for (const [place, format] of formats.entries()) {
        expect(await download(format, `?asOf=${at}`), `${format} as of ${at}`).toBe(files[place]);
      }
    }
  });
});
