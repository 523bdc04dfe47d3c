import { beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import { useServer } from '../support/server.ts';

const server = useServer();

/** One program more than a sheet has rows, its header aside: by views, since to insert them would take minutes. */
beforeAll(async () => {
  await server.make.program({ name: 'Optics', duration: '1 Year' });
  await server.graphql('mutation { createEdition(name: "few") { id } }');
  await server.database.query(`
    ALTER TABLE programs RENAME TO stored;
    CREATE VIEW programs AS SELECT stored.* FROM stored, generate_series(1, 1048576)`);
});

const message = 'An Excel sheet has at most 1,048,576 rows: export CSV, or fewer records by a filter.';
const problem = { field: 'file', rule: 'TOO_MANY_ROWS', message };

const get = async (path: string) => {
  const response = await server.get(path);
  return { status: response.status, text: await response.text() };
};

describe('more rows than an Excel sheet has are refused before the download', () => {
  it('over HTTP', async () => {
    const { status, text } = await get('/export/catalog.xlsx');
    expect([status, JSON.parse(text)]).toMatchObject([400, { errors: { file: [message] }, problems: [problem] }]);
  });

  it('on the command line', async () => {
    const { exitCode, out, err } = await runCommand(server.database.url, ['export', '--format', 'xlsx']);
    expect({ exitCode, out, err }).toEqual({
      exitCode: expect.any(Number),
      out: '',
      err: expect.stringContaining(message),
    });
    expect(exitCode).not.toBe(0);
  });

  it('and not of fewer: those of an edition, or of a filter', async () => {
    for (const query of ['edition=few', 'search=none']) {
      expect((await get(`/export/catalog.xlsx?${query}`)).status, query).toBe(200);
    }
  });
});
