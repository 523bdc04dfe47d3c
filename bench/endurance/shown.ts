import { z } from 'zod';
import { adminKey } from '../processes.ts';

/** An expression for the browser: the records, the figures and the notices of a page of the console. */
export const shown = `({
  records: [...document.querySelectorAll('#main a')].flatMap((link) => {
    const [, kind, id] = /^\\/console\\/(programs|branches)\\/(\\d+)$/.exec(link.pathname) ?? [];
    const duration = link.closest('.programs .row')?.children[2].textContent ?? null;
    return kind === undefined ? [] : [{ kind, id: Number(id), name: link.textContent, duration, isChange: link.closest('.feed') !== null }];
  }),
  heading: document.querySelector('h1')?.textContent ?? '',
  isAtStart: document.querySelector('[data-index="0"]') !== null,
  figures: [...document.querySelectorAll('.figures strong')].map(({ textContent }) => textContent),
  notices: [...document.querySelectorAll('.connection .notice, .notice.bad')].map(({ textContent }) => textContent),
})`;

const shownSchema = z.object({
  records: z.array(
    z.object({
      kind: z.enum(['programs', 'branches']),
      id: z.int(),
      name: z.string(),
      duration: z.nullable(z.string()),
      /** Whether it is named in the last changes, which deleted records are, too. */
      isChange: z.boolean(),
    }),
  ),
  heading: z.string(),
  isAtStart: z.boolean(),
  figures: z.array(z.string()),
  notices: z.array(z.string()),
});

const record = z.object({ id: z.int(), name: z.string(), duration: z.optional(z.string()) });
const connection = z.object({ nodes: z.array(record) });
const state = z.object({
  data: z.object({
    programs: connection,
    branches: connection,
    deletedPrograms: connection,
    deletedBranches: connection,
    first: connection,
    catalogStats: z.object({ programs: z.int(), branches: z.int(), years: z.int() }),
  }),
});

const query = `query ($programs: [Int!], $branches: [Int!]) {
  programs: programsConnection(first: 100, filter: { ids: $programs }) { nodes { id name duration } }
  branches: branchesConnection(first: 100, filter: { ids: $branches }) { nodes { id name } }
  deletedPrograms: programsConnection(first: 100, filter: { ids: $programs, deleted: true }) { nodes { id name } }
  deletedBranches: branchesConnection(first: 100, filter: { ids: $branches, deleted: true }) { nodes { id name } }
  first: programsConnection(first: 10, orderBy: NAME_ASC) { nodes { id name } }
  catalogStats { programs branches years }
}`;

/** What is on a page and not in the database, in words. */
export async function wrongOf(url: string, evaluated: unknown): Promise<string[]> {
  const page = shownSchema.parse(evaluated);
  const idsOf = (kind: string): number[] => [
    ...new Set(page.records.filter((found) => found.kind === kind).map(({ id }) => id)),
  ];
  const variables = { programs: idsOf('programs').slice(0, 100), branches: idsOf('branches').slice(0, 100) };
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data } = state.parse(await response.json());
  const { catalogStats: stats } = data;
  const deleted = { programs: data.deletedPrograms.nodes, branches: data.deletedBranches.nodes };
  const wrong = [...page.notices];
  if (page.records.length === 0) wrong.push('no records');
  for (const { kind, id, name, duration, isChange } of page.records) {
    if (!variables[kind].includes(id)) continue;
    const found = [...data[kind].nodes, ...(isChange ? deleted[kind] : [])].find((node) => node.id === id);
    if (found === undefined) wrong.push(`${name} (${kind} ${id}) does not exist`);
    else if (found.name !== name) wrong.push(`${name} is called ${found.name}`);
    else if (duration !== null && duration !== found.duration)
      wrong.push(`${name}: ${duration}, not ${found.duration}`);
  }
  if (page.heading === 'Programs' && page.isAtStart) {
    const rows = page.records.slice(0, data.first.nodes.length).map(({ id }) => id);
    if (rows.join() !== data.first.nodes.map(({ id }) => id).join()) wrong.push(`the list begins with ${rows.join()}`);
  }
  const figures = [stats.programs, stats.branches, stats.years].map((count) => count.toLocaleString('en'));
  if (page.figures.length > 0 && page.figures.join() !== figures.join())
    wrong.push(`figures ${page.figures.join(' ')}`);
  return wrong;
}
