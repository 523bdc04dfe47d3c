import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'vitest';
import { exportSnapshot } from '../../src/academics/import-export/export/exporter.ts';
import { readExportRequest } from '../../src/academics/import-export/http/parameters.ts';
import { useDatabase } from '../support/database.ts';
import { expectNotBlocked } from '../support/event-loop.ts';

const database = useDatabase();
const options = { connectTimeoutMs: 5_000, signal: new AbortController().signal };

describe('an export of hundreds of attributes does not block the event loop', () => {
  it.each(['csv', 'json', 'xlsx'] as const)('as %s', async (format) => {
    await database.query('TRUNCATE branch_years, branches, programs');
    // Each record has 50, and all together have 900.
    await database.query(`
      INSERT INTO programs (name, duration, attributes) SELECT 'Program ' || n, '1', (
        SELECT jsonb_object_agg('key' || k, repeat('x', 20)) FROM generate_series(n % 18 * 50, n % 18 * 50 + 49) AS k
      ) FROM generate_series(1, 1000) AS n`);
    const request = await readExportRequest('/?escapeFormulas=true', format);
    await expectNotBlocked(
      100,
      () =>
        exportSnapshot({ url: database.url, ...options }, request, async (chunks) => {
          await buffer(Readable.from(chunks));
        }),
      format,
    );
  });
});
