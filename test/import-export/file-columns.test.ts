import { describe, expect, it } from 'vitest';
import { adminKey, useSharedServer } from '../support/server.ts';
import { importFile } from './import/import-file.ts';

const server = useSharedServer();

interface Look {
  readonly type?: string;
  readonly query?: string;
  readonly key?: string;
}

async function look(content: string | Buffer, { type = 'text/csv', query = '', key = adminKey }: Look = {}) {
  const response = await fetch(`${server.url}/import/columns${query}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': type },
    body: new Uint8Array(Buffer.from(content)),
  });
  return { status: response.status, body: await response.json() };
}

const ofText = { encodingGuessed: false, encodingSample: [], sheet: null, sheets: [] };

describe('the columns of a file', () => {
  it('have their names, the first different values, and what the format knows', async () => {
    const rows = [
      'Academic Program Name;No. of years;PROGRAM_CODE;;',
      'Arts;4;;x;',
      'Arts;3;A;;',
      'a"broken',
      'Law;4; B ;;',
    ];

    expect(await look(rows.join('\r\n'))).toEqual({
      status: 200,
      body: {
        columns: [
          { name: 'Academic Program Name', column: null, values: ['Arts', 'Law'] },
          { name: 'No. of years', column: null, values: ['4', '3'] },
          { name: 'PROGRAM_CODE', column: 'program_code', values: ['A', 'B'] },
        ],
        headerRow: 1,
        firstRows: [
          { line: 1, text: 'Academic Program Name · No. of years · PROGRAM_CODE' },
          { line: 2, text: 'Arts · 4 · x' },
          { line: 3, text: 'Arts · 3 · A' },
          { line: 5, text: 'Law · 4 ·  B ' },
        ],
        encoding: 'UTF-8',
        ...ofText,
      },
    });
    expect(await server.database.query('SELECT FROM programs')).toEqual([]);
  });

  it('are the keys of JSON, in the order of their first rows', async () => {
    const content = JSON.stringify([{ name: 'Arts', years: 4 }, { name: 'Law', online: true }, 7]);
    expect(await look(content, { type: 'application/json' })).toMatchObject({
      body: {
        columns: [
          { name: 'name', values: ['Arts', 'Law'] },
          { name: 'years', values: ['4'] },
          { name: 'online', values: ['true'] },
        ],
      },
    });
  });

  it('of a table and of JSON are those that an import reads, in any letter case', async () => {
    const cells = { Program_Name: 'Arts', PROGRAM_DURATION: '3 years', branch_name: '', Branch_Years: '' };
    for (const [type, content] of [
      ['text/csv', `${Object.keys(cells)}\n${Object.values(cells)}\n`],
      ['application/json', JSON.stringify([cells])],
    ] as const) {
      const { columns } = (await look(content, { type })).body;
      expect(columns.map(({ column }: { column: string }) => column)).toEqual(
        Object.keys(cells).map((name) => name.toLowerCase()),
      );
      const { body } = await importFile(server, content, { type, query: { dryRun: 'true' } });
      expect(body).toMatchObject({ outcome: 'checked', programs: { created: 1 }, ignoredColumns: [] });
    }
  });

  it('are read in the encoding that is recognized, or in another', async () => {
    const content = Buffer.from('Programme,Durée\nGénie,3', 'latin1');
    expect(await look(content)).toMatchObject({
      body: {
        columns: [{}, { name: 'Durée' }],
        encoding: 'Windows-1252',
        encodingGuessed: true,
        encodingSample: [
          { line: 1, text: 'Durée' },
          { line: 2, text: 'Génie' },
        ],
      },
    });
    expect(await look(content, { query: '?encoding=Windows-1251' })).toMatchObject({
      body: { columns: [{}, { name: 'Durйe' }], encoding: 'Windows-1251', encodingGuessed: false },
    });
  });

  it('are not read from what is no such file, with unknown parameters, or by who may not import', async () => {
    const viewer = await server.makeKey({ role: 'viewer' });
    expect(await look('')).toMatchObject({
      status: 400,
      body: { errors: { file: [expect.stringContaining('empty')] } },
    });
    expect(await look('a', { query: '?dryRun=true' })).toMatchObject({
      status: 400,
      body: { errors: { dryRun: [expect.any(String)] } },
    });
    expect(await look('a', { type: 'text/plain' })).toMatchObject({ status: 415 });
    expect(await look('a', { key: viewer })).toMatchObject({ status: 403 });
    const { status, headers } = await server.get('/import/columns');
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });
});
