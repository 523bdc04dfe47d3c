import fc from 'fast-check';
import { adminKey, type TestServer } from '../support/server.ts';

const databaseTime = async (server: TestServer): Promise<string> => {
  const rows = await server.database.query('SELECT to_json(clock_timestamp()::timestamptz(3)) AS now');
  return new Date(String(rows[0]?.['now'])).toISOString();
};

/** Waits until the clock of the database shows a later millisecond, so that what follows is after this instant. */
export async function instant(server: TestServer): Promise<string> {
  const at = await databaseTime(server);
  while ((await databaseTime(server)) <= at);
  return at;
}

async function mutate(server: TestServer, mutation: string): Promise<Record<string, unknown>> {
  const { body } = await server.graphql(`mutation { result: ${mutation} }`);
  return body.data?.result ?? {};
}

async function idsOf(server: TestServer, table: string, condition = 'deleted_at IS NULL'): Promise<number[]> {
  const rows = await server.database.query(`SELECT id FROM ${table} WHERE ${condition} ORDER BY id`);
  return rows.map(({ id }) => Number(id));
}

interface Step {
  readonly what: number;
  readonly pick: number;
  readonly text: string;
}

const changes: ((step: Step, server: TestServer) => Promise<unknown>)[] = [
  ({ what, pick, text }, server) => server.make.program({ name: text, duration: '3 Years', code: `${what}-${pick}` }),
  async ({ pick, text }, server) => {
    const programs = await idsOf(server, 'programs');
    const programId = programs[pick % programs.length];
    return programId === undefined ? undefined : server.make.branch(programId, { name: text, years: 1 + (pick % 5) });
  },
  async ({ pick, text }, server) => {
    const ids = await idsOf(server, 'programs');
    const id = ids[pick % ids.length] ?? 0;
    return mutate(
      server,
      `updateProgram(id: ${id}, input: { name: ${JSON.stringify(text)}, attributes: [{ key: "level", value: "${pick}" }] }) { id }`,
    );
  },
  async ({ pick }, server) => {
    const ids = await idsOf(server, 'branches');
    const id = ids[pick % ids.length] ?? 0;
    return mutate(server, `updateBranch(id: ${id}, input: { years: ${1 + (pick % 7)}, codePrefix: "P" }) { id }`);
  },
  async ({ pick }, server) => {
    const [ids, programs] = [await idsOf(server, 'branches'), await idsOf(server, 'programs')];
    const moved = ids.slice(pick % 3, (pick % 3) + 3);
    return mutate(
      server,
      `updateBranches(ids: [${moved}], input: { programId: ${programs[pick % programs.length] ?? 0} }) { changeId }`,
    );
  },
  async ({ pick }, server) => {
    const ids = await idsOf(server, 'programs');
    return mutate(server, `deleteProgram(id: ${ids[pick % ids.length] ?? 0}) { id }`);
  },
  async ({ pick }, server) => {
    const ids = await idsOf(server, 'programs', 'deleted_at IS NOT NULL');
    return mutate(server, `restoreProgram(id: ${ids[pick % ids.length] ?? 0}) { id }`);
  },
  async ({ pick }, server) => {
    const ids = await idsOf(server, 'programs');
    return mutate(server, `copyProgram(id: ${ids[pick % ids.length] ?? 0}, input: { code: "C${pick}" }) { id }`);
  },
  ({ text, pick }, server) =>
    fetch(`${server.url}/import/catalog?update=true`, {
      method: 'POST',
      headers: { 'x-api-key': adminKey, 'content-type': 'text/csv' },
      body: `program_code,program_name,program_duration,branch_name,branch_years\n${pick % 4},"${text.replaceAll('"', '""')}",2,Optics,${1 + (pick % 4)}\n`,
    }),
  async ({ pick }, server) => {
    const rows = await server.database.query(
      `SELECT DISTINCT change_id FROM audit_entries WHERE subject <> 'Catalog' ORDER BY 1`,
    );
    return mutate(server, `undoChange(changeId: "${rows[pick % rows.length]?.['change_id']}") { undone }`);
  },
];

/** Three changes of the catalog, as people and programs make them. */
export const steps = fc.array(
  fc.record({
    what: fc.nat({ max: changes.length - 1 }),
    pick: fc.nat({ max: 1_000 }),
    text: fc.string({ unit: 'grapheme', minLength: 3, maxLength: 8 }).filter((text) => text.trim().length > 2),
  }),
  { minLength: 3, maxLength: 3, size: 'max' },
);

/** Makes changes; those of records that are not there change nothing. */
export async function change(server: TestServer, made: readonly Step[]): Promise<void> {
  for (const step of made) await changes[step.what]?.(step, server);
}
