// Each limit of a file, in each of its formats, where it is imported and where its columns are looked at.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { partsOf, zipped } from '@service/tabular/testing/workbook';
import { type CellValue, writeXlsx, xlsxType } from '@service/tabular/xlsx';
import { describe, expect, it, onTestFinished } from 'vitest';
import { within } from '../support/running-time.ts';
import { adminKey, useServer } from '../support/server.ts';

const server = useServer({ IMPORT_MAX_BYTES: '20000000' });

const formats = ['csv', 'json', 'xlsx'] as const;
type Format = (typeof formats)[number];
const types = { csv: 'text/csv', json: 'application/json', xlsx: xlsxType };

const names = ['program_name', 'program_duration'];

/** A file of rows with these columns. */
async function fileOf(format: Format, columns: readonly string[], rows: readonly (readonly CellValue[])[]) {
  if (format === 'csv') return Buffer.from([columns, ...rows].map((cells) => cells.join(',')).join('\n'));
  if (format === 'json') {
    const objects = rows.map((cells) => Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? null])));
    return Buffer.from(JSON.stringify(objects));
  }
  async function* batches() {
    yield rows;
  }
  return buffer(writeXlsx({ name: 'A', columns, rowCount: rows.length, rows: batches() }));
}

async function send(path: string, format: Format, body: Buffer, key = adminKey, signal?: AbortSignal) {
  const headers = { 'x-api-key': key, 'content-type': types[format] };
  const init = { method: 'POST', headers, body: new Uint8Array(body), ...(signal && { signal }) };
  const response = await fetch(server.url + path, init);
  return { status: response.status, body: await response.json() };
}

const importPath = '/import/catalog?dryRun=true&skipInvalid=true';
const routes = [importPath, '/import/columns'];

describe.each(formats)('a file of %s', (format) => {
  it('has at most 1,000 columns', async () => {
    const columns = [...names, ...Array.from({ length: 999 }, (_, at) => `program_attr:k${at}`)];
    for (const path of routes) {
      const within = await send(path, format, await fileOf(format, columns.slice(0, -1), [['A', '1']]));
      expect(within.status).toBe(200);
      expect(await send(path, format, await fileOf(format, columns, [['A', '1']]))).toMatchObject({
        status: 400,
        body: { errors: { file: [expect.stringContaining('more than 1000 columns')] } },
      });
    }
  });

  it('has rows of at most 250,000 characters', async () => {
    const long = Array.from({ length: 9 }, () => 'x'.repeat(30_000));
    const columns = [...names, ...long.map((_, at) => `c${at}`)];
    const file = await fileOf(format, columns, [
      ['A', '1', ...long],
      ['B', '1'],
    ]);
    const { status, body } = await send(importPath, format, file);
    if (format === 'json') {
      expect([status, body.errors]).toEqual([400, { file: ['Line 1: the element that begins here is too long.'] }]);
    } else {
      expect(body).toMatchObject({ skipped: 1, problems: [{ line: 2, message: 'is longer than 250,000 characters' }] });
    }
    const look = await send('/import/columns', format, file);
    expect(look.status).toBe(format === 'json' ? 400 : 200);
  });

  it('has at most 1,000 problems in its report', async () => {
    const file = await fileOf(format, names, Array.from({ length: 1_100 }, () => ['', '1']).concat([['A', '1']]));
    const { body } = await send(importPath, format, file);
    expect([body.problems.length, body.problemCount]).toEqual([1_000, 1_100]);
  });
});

it.each(routes)('a file has at most the configured size, before it is read as anything: %s', async (path) => {
  expect(await send(path, 'csv', Buffer.alloc(20_000_001, ' '))).toMatchObject({ status: 413 });
});

/** Texts that take seconds to read. */
async function slowWorkbook(): Promise<Buffer> {
  const strings = Array.from({ length: 600_000 }, (_, at) => `<si><t>${(at * 7_919) % 1_000_003} some text</t></si>`);
  return zipped(partsOf({ strings: strings.join('') }));
}

describe('work without an admission slot', () => {
  it('is that of routes with a limit of their own', () => {
    const files = ['src', 'packages'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    );
    const releasing = files.filter(
      (file) => /\/src\/.*\.ts$|^src\/.*\.ts$/.test(file) && readFileSync(file, 'utf8').includes('admission.release('),
    );
    // Their limits: subscriptions in test/change-feed; export.test.ts; below; upload.test.ts; test/accounts/waiting-sign-ins.test.ts.
    expect(releasing.filter((file) => !file.includes('node_modules')).sort()).toEqual([
      'packages/graphql-server/src/handler.ts',
      'src/academics/import-export/http/download.ts',
      'src/academics/import-export/http/file-columns.ts',
      'src/academics/import-export/http/upload.ts',
      'src/accounts/sessions/session-writes.ts',
    ]);
  });

  it('on the columns of a file is done for one caller once, for two in all, and ends when its client leaves', async () => {
    const file = await slowWorkbook();
    const keys = await Promise.all(['one', 'two', 'three'].map((user) => server.makeKey({ role: 'editor', user })));
    const [one = '', two = '', three = ''] = keys;
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    // Again while it is refused: the small file of the same caller may be looked at when the large one has arrived.
    const look = async (key: string): Promise<unknown> => {
      const response = await send('/import/columns', 'xlsx', file, key, leaving.signal).catch(() => undefined);
      return response && [429, 503].includes(response.status) ? look(key) : response;
    };
    const small = (key: string) => send('/import/columns', 'csv', Buffer.from('a,b\n'), key);
    const looks = [look(one), look(two)];
    await within(10_000, async () => expect((await small(one)).status).toBe(429));
    await within(10_000, async () => expect((await small(three)).status).toBe(503));

    leaving.abort();
    await within(2_000, async () => expect((await small(one)).status).toBe(200));
    expect(await Promise.all(looks)).toEqual([undefined, undefined]);
  });
});
