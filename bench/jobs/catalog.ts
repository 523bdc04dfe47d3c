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

const programs = z.object({
  programsConnection: z.object({
    nodes: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        duration: z.string(),
        attributes: z.array(z.object({ key: z.string(), value: z.string() })),
        branches: z.array(z.object({ id: z.int(), name: z.string(), description: z.string() })),
      }),
    ),
  }),
});

/** The programs whose names begin so, in order: at most 100. */
export async function programsOf(api: Api, begin: string) {
  const document = `query ($search: String) {
    programsConnection(first: 100, filter: { search: $search }, orderBy: ID_ASC) {
      nodes { id name duration attributes { key value } branches { id name description } }
    }
  }`;
  const { programsConnection } = await api.query(programs, document, { search: begin });
  return programsConnection.nodes.filter(({ name }) => name.startsWith(begin));
}

const key = z.object({ createApiKey: z.object({ key: z.string() }) });

/** Creates an editor; returns their key. */
export async function createEditor(api: Api, name: string): Promise<string> {
  const { createUser } = await api.query(
    z.object({ createUser: z.object({ id: z.int() }) }),
    'mutation ($name: String!) { createUser(input: { name: $name, role: EDITOR }) { id } }',
    { name },
  );
  const made = await api.query(
    key,
    'mutation ($id: Int!) { createApiKey(input: { userId: $id, name: "bench", expiresIn: "1d" }) { key } }',
    { id: createUser.id },
  );
  return made.createApiKey.key;
}
