import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adminKey, useServer } from '../support/server.ts';

const server = useServer();

const formats = ['csv', 'json', 'xlsx'] as const;

const get = (address: string): Promise<Response> => fetch(server.url + address, { headers: { 'x-api-key': adminKey } });

async function download(format: string, query = ''): Promise<string> {
  const response = await get(`/export/catalog.${format}${query}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.status, bytes.toString()).toBe(200);
  return bytes.toString('base64');
}

const databaseTime = async (): Promise<string> => {
  const rows = await server.database.query('SELECT to_json(clock_timestamp()::timestamptz(3)) AS now');
  return new Date(String(rows[0]?.['now'])).toISOString();
};

/** Waits until the clock of the database shows a later millisecond, so that what follows is after this instant. */
async function instant(): Promise<string> {
  const at = await databaseTime();
  while ((await databaseTime()) <= at);
  return at;
}

async function mutate(mutation: string): Promise<Record<string, unknown>> {
  const { body } = await server.graphql(`mutation { result: ${mutation} }`);
  return body.data?.result ?? {};
}

async function idsOf(table: string, condition = 'deleted_at IS NULL'): Promise<number[]> {
  const rows = await server.database.query(`SELECT id FROM ${table} WHERE ${condition} ORDER BY id`);
  return rows.map(({ id }) => Number(id));
}

interface Step {
  readonly what: number;
  readonly pick: number;
  readonly text: string;
}

const changes: ((step: Step) => Promise<unknown>)[] = [
  ({ what, pick, text }) => server.make.program({ name: text, duration: '3 Years', code: `${what}-${pick}` }),
  async ({ pick, text }) => {
    const programs = await idsOf('programs');
    const programId = programs[pick % programs.length];
    return programId === undefined ? undefined : server.make.branch(programId, { name: text, years: 1 + (pick % 5) });
  },
  async ({ pick, text }) => {
    const ids = await idsOf('programs');
    const id = ids[pick % ids.length] ?? 0;
    return mutate(
      `updateProgram(id: ${id}, input: { name: ${JSON.stringify(text)}, attributes: [{ key: "level", value: "${pick}" }] }) { id }`,
    );
  },
  async ({ pick }) => {
    const ids = await idsOf('branches');
    const id = ids[pick % ids.length] ?? 0;
    return mutate(`updateBranch(id: ${id}, input: { years: ${1 + (pick % 7)}, codePrefix: "P" }) { id }`);
  },
  async ({ pick }) => {
    const [ids, programs] = [await idsOf('branches'), await idsOf('programs')];
    const moved = ids.slice(pick % 3, (pick % 3) + 3);
    return mutate(
      `updateBranches(ids: [${moved}], input: { programId: ${programs[pick % programs.length] ?? 0} }) { changeId }`,
    );
  },
  async ({ pick }) => {
    const ids = await idsOf('programs');
    return mutate(`deleteProgram(id: ${ids[pick % ids.length] ?? 0}) { id }`);
  },
  async ({ pick }) => {
    const ids = await idsOf('programs', 'deleted_at IS NOT NULL');
    return mutate(`restoreProgram(id: ${ids[pick % ids.length] ?? 0}) { id }`);
  },
  async ({ pick }) => {
    const ids = await idsOf('programs');
    return mutate(`copyProgram(id: ${ids[pick % ids.length] ?? 0}, input: { code: "C${pick}" }) { id }`);
  },
  ({ text, pick }) =>
    fetch(`${server.url}/import/catalog?update=true`, {
      method: 'POST',
      headers: { 'x-api-key': adminKey, 'content-type': 'text/csv' },
      body: `program_code,program_name,program_duration,branch_name,branch_years\n${pick % 4},"${text.replaceAll('"', '""')}",2,Optics,${1 + (pick % 4)}\n`,
    }),
  async ({ pick }) => {
    const rows = await server.database.query(
      `SELECT DISTINCT change_id FROM audit_entries WHERE subject <> 'Catalog' ORDER BY 1`,
    );
    return mutate(`undoChange(changeId: "${rows[pick % rows.length]?.['change_id']}") { undone }`);
  },
];

const steps = fc.array(
  fc.record({
    what: fc.nat({ max: changes.length - 1 }),
    pick: fc.nat({ max: 1_000 }),
    text: fc.string({ unit: 'grapheme', minLength: 3, maxLength: 8 }).filter((text) => text.trim().length > 2),
  }),
  { minLength: 3, maxLength: 3, size: 'max' },
);

describe('the catalog as of an instant', () => {
  it('is what was exported then, byte for byte, in every format', async () => {
    const kept: { readonly at: string; readonly files: readonly string[] }[] = [];
    let rounds = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (round) => {
        for (const step of round) await changes[step.what]?.(step);
        rounds += 1;
        if (rounds % 3 > 0) return;
        const files: string[] = [];
        for (const format of formats) files.push(await download(format));
        kept.push({ at: await instant(), files });
      }),
      { numRuns: 60, endOnFailure: true },
    );
    expect(kept).toHaveLength(20);
    for (const { at, files } of kept) {
      for (const [place, format] of formats.entries()) {
        expect(await download(format, `?asOf=${at}`), `${format} as of ${at}`).toBe(files[place]);
      }
    }
  });
});
