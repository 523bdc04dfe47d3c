import { isDeepStrictEqual } from 'node:util';
import { Client } from 'pg';
import { z } from 'zod';
import type { Api } from './api.ts';

const range = (count: number): string[] =>
  Array.from({ length: count }, (_none, at) => String(at + 1).padStart(2, '0'));

/** What people search for, as they misspell it. */
export const misspelt = [
  ['epidemology', 'Master of Epidemiology'],
  ['otorhinolaringology', 'Master of Otorhinolaryngology'],
  ['anestesiology', 'Master of Anaesthesiology'],
  ['juriprudence', 'Master of Jurisprudence'],
  ['numismatiks', 'Master of Numismatics'],
  ['paleontolgy', 'Master of Palaeontology'],
] as const;

/** The records of the jobs, as a file. */
export const recordsOfJobs = [
  'program_name,program_duration,branch_name,branch_years',
  ...range(139).map((number) => `Auxiliary Nursing ${number},2 years,,`),
  ...range(40).map((number) => `Certificate in Weaving ${number},1 Year,,`),
  ...range(126).map((number) => `Polytechnic of Examples,3 Years,Workshop ${number},3`),
  ...range(12).map((number) => `Faculty of Machines,4 Years,Automatronics ${number},4`),
  'School of Automation,4 Years,Control,4',
  'Diploma in Conflicts,1 Year,,',
  ...misspelt.map(([, name]) => `${name},2 Years,,`),
].join('\n');

const rows = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    duration: z.string().nullable(),
    program: z.string().nullable(),
    description: z.string().nullable(),
    attributes: z.record(z.string(), z.string()),
    years: z.int(),
  }),
);

/** A program, or a branch with its program. */
export type Row = z.infer<typeof rows>[number];

/** Every record, as the database has it. */
export async function readCatalog(databaseUrl: string): Promise<readonly Row[]> {
  const client = new Client(databaseUrl);
  await client.connect();
  const found = await client.query(`
    SELECT 'programs/' || id AS id, name, duration, NULL AS program, NULL AS description, attributes, 0 AS years
    FROM programs WHERE deleted_at IS NULL
    UNION ALL
    SELECT 'branches/' || b.id, b.name, NULL, p.name, b.description, b.attributes,
      (SELECT count(*)::int FROM branch_years WHERE branch_id = b.id)
    FROM branches b JOIN programs p ON p.id = program_id WHERE b.deleted_at IS NULL
    ORDER BY name, id`);
  await client.end();
  return rows.parse(found.rows);
}

/** What a job changes in a record, and what it adds. */
export interface Effect {
  readonly changes?: (row: Row) => Partial<Row> | undefined;
  readonly adds?: readonly Omit<Row, 'id'>[];
}

/** Says where the catalog is not as a job should have left it, if anywhere. */
export function findFault(
  before: readonly Row[],
  after: readonly Row[],
  { changes, adds = [] }: Effect,
): string | null {
  const now = new Map(after.map((row) => [row.id, row]));
  for (const row of before) {
    const expected = { ...row, ...changes?.(row) };
    if (!isDeepStrictEqual(now.get(row.id), expected)) return `${row.id} should be ${JSON.stringify(expected)}`;
    now.delete(row.id);
  }
  const added = [...now.values()].map(({ id: _id, ...row }) => row);
  const missing = adds.filter((row) => !added.some((one) => isDeepStrictEqual(one, row)));
  if (missing.length === 0 && added.length === adds.length) return null;
  return `${added.length} were added, without ${JSON.stringify(missing)}`;
}

/** Creates an editor; returns their key. */
export async function createEditor({ query }: Api, name: string): Promise<string> {
  const { createUser } = await query(
    z.object({ createUser: z.object({ id: z.int() }) }),
    'mutation ($name: String!) { createUser(input: { name: $name, role: EDITOR }) { id } }',
    { name },
  );
  const made = await query(
    z.object({ createApiKey: z.object({ key: z.string() }) }),
    'mutation ($id: Int!) { createApiKey(input: { userId: $id, name: "bench", expiresIn: "1d" }) { key } }',
    { id: createUser.id },
  );
  return made.createApiKey.key;
}
