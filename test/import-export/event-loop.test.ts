import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { codeOf, someCharacters } from '@service/telemetry/testing/characters';
import { expectNotBlocked } from '@service/telemetry/testing/event-loop';
import { beforeAll, describe, expect, it } from 'vitest';
import { readComparison } from '../../src/academics/editions/comparison.ts';
import { comparisonSheet } from '../../src/academics/editions/comparison-sheet.ts';
import { exportSnapshot } from '../../src/academics/import-export/export/exporter.ts';
import { readExportRequest } from '../../src/academics/import-export/http/export-parameters.ts';
import { createImporter, type ImportFile } from '../../src/academics/import-export/import/importer.ts';
import { emptyCatalog, useDatabase } from '../support/database.ts';
import { csv, givenFile } from './import/import-file.ts';

const database = useDatabase();
let importFile: ImportFile;
beforeAll(async () => {
  importFile = createImporter(database.url);
});

/** Twice the documented bound: garbage collection is not its own work. */
const holdMs = 2 * 50;
/** With its other cells, a row has no more; doubled quotes count once. */
const runLength = 249_000;

/** A first row that is not valid, and hundreds that are. */
function manyColumns(): string {
  const columns = ['program_name', 'program_duration', ...Array.from({ length: 990 }, (_, at) => `program_attr:${at}`)];
  return `${columns}\n,\n${'P,1\n'.repeat(700)}`;
}

it.each([
  ['many short invalid rows', csv('x\n'.repeat(30_000))],
  [
    'valid rows',
    csv(...Array.from({ length: 2_500 }, (_, n) => `,P${n % 500},3 years,B${n},"${'Light, '.repeat(40)}",4,B,`)),
  ],
  ['rows after an invalid one of many columns', manyColumns()],
])('an import does not block the event loop: %s', async (what, content) => {
  await expectNotBlocked(
    holdMs,
    async () => {
      const { rows } = await importFile({ ...givenFile(content), dryRun: true, skipInvalid: true });
      expect(rows).toBeGreaterThan(500);
    },
    what,
  );
});

it('an import does not block the event loop by a run of one character in any column', {
  timeout: 600_000,
}, async () => {
  // One for each rule of a cell.
  const columns = [
    ...['program_id', 'program_code', 'program_name', 'program_duration', 'program_attributes', 'program_attr:a'],
    ...['branch_name', 'branch_description', 'branch_years', 'branch_code_is_numeric'],
  ];
  const valid: Readonly<Record<string, string>> = {
    program_name: 'P',
    program_duration: '1',
    branch_name: 'B',
    branch_years: '1',
  };
  for (const character of someCharacters) {
    const run = character.repeat(runLength / Buffer.byteLength(character)).replaceAll('"', '""');
    const rows = columns.map((of) =>
      columns.map((column) => (column === of ? `"${run}"` : (valid[column] ?? ''))).join(),
    );
    await expectNotBlocked(
      50,
      () => importFile({ ...givenFile([columns.join(), ...rows].join('\n')), dryRun: true, skipInvalid: true }),
      codeOf(character),
    );
  }
});

describe('an export of hundreds of attributes does not block the event loop', () => {
  // Each record has 50, and all together have 900.
  beforeAll(() =>
    database.query(`${emptyCatalog};
      INSERT INTO programs (name, duration, attributes) SELECT 'Program ' || n, '1', (
        SELECT jsonb_object_agg('key' || k, repeat('x', 20)) FROM generate_series(n % 18 * 50, n % 18 * 50 + 49) AS k
      ) FROM generate_series(1, 1000) AS n`),
  );

  it.each(['csv', 'json', 'xlsx'] as const)('%s', async (format) => {
    const request = await readExportRequest(format === 'csv' ? '/?escapeFormulas=true' : '/', format);
    const options = {
      url: database.url,
      connectTimeoutMs: 5_000,
      signal: new AbortController().signal,
      showsActors: true,
    };
    await expectNotBlocked(
      holdMs,
      () => exportSnapshot(options, request, async (chunks) => void (await buffer(Readable.from(chunks)))),
      format,
    );
  });
});

it('a comparison of records with long values does not block the event loop', async () => {
  await database.query(emptyCatalog);
  // Each has other values than a day ago.
  await database.query(
    `WITH program AS (INSERT INTO programs (name, duration) VALUES ('P', '1') RETURNING id), others AS (
      INSERT INTO branches (program_id, name, attributes)
      SELECT id, 'B', (SELECT jsonb_object_agg('k' || k, repeat($1, 500)) FROM generate_series(1, 45) AS k)
      FROM program, generate_series(1, 100) RETURNING *
    )
    INSERT INTO audit_entries (at, actor, action, subject, subject_id, before)
    SELECT now() - days * interval '1 day', 'x', 'update', 'Branch', id, to_jsonb(others) || jsonb_build_object(
      'programId', program_id, 'attributes', (SELECT jsonb_object_agg('k' || k, repeat($2, 500)) FROM generate_series(1, 45) AS k)
    ) FROM others, generate_series(0, 2, 2) AS days`,
    ['\u{1f600}', '\u{1f60e}'],
  );
  const connection = { url: database.url, signal: new AbortController().signal, showsActors: true };
  const points = { from: { at: new Date(Date.now() - 86_400_000) }, to: { now: true } } as const;
  await expectNotBlocked(holdMs, () =>
    readComparison(connection, points, async (comparison) => {
      const progress = { records: 0 };
      await buffer(comparisonSheet(comparison, progress));
      expect(progress.records).toBe(100);
    }),
  );
});
