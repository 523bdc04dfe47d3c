import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { adminKey } from '../processes.ts';

/** An expression for the browser: the records, the figures and the notices of a page of the console. */
export const shown = `({
  records: [...document.querySelectorAll('#main a')].flatMap((link) => {
    const [, kind, id] = /^\\/console\\/(programs|branches)\\/(\\d+)$/.exec(link.pathname) ?? [];
    const cells = location.pathname === '/console/programs' ? [...(link.closest('.row')?.children ?? [])] : [];
    const [, , duration, level] = cells.map(({ textContent }) => textContent);
    return kind === undefined ? [] : [{ kind, id: Number(id), name: link.textContent, duration, level, isChange: link.closest('.feed') !== null }];
  }),
  path: location.pathname.replace('/console', ''),
  notes: [...document.querySelectorAll('.feed .description')].map(({ textContent }) => textContent),
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
      duration: z.optional(z.string()),
      level: z.optional(z.string()),
      /** Whether it is named in the last changes, which deleted records are, too. */
      isChange: z.boolean(),
    }),
  ),
  path: z.string(),
  notes: z.array(z.string()),
  isAtStart: z.boolean(),
  figures: z.array(z.string()),
  notices: z.array(z.string()),
});

const record = z.object({
  id: z.int(),
  name: z.string(),
  duration: z.optional(z.string()),
  attributes: z.optional(z.array(z.object({ key: z.string(), value: z.string() }))),
});
const connection = z.object({ nodes: z.array(record) });
const state = z.object({
  data: z.object({
    programs: connection,
    branches: connection,
    deletedPrograms: connection,
    deletedBranches: connection,
    first: connection,
    notes: z.object({ nodes: z.array(z.object({ text: z.string() })) }),
    lastChanges: z.array(z.object({ kind: z.nullable(z.string()), recordId: z.nullable(z.int()) })),
    catalogStats: z.object({ programs: z.int(), branches: z.int(), years: z.int() }),
  }),
});

const query = `query ($programs: [Int!], $branches: [Int!]) {
  programs: programsConnection(first: 100, filter: { ids: $programs }) { nodes { id name duration attributes { key value } } }
  branches: branchesConnection(first: 100, filter: { ids: $branches }) { nodes { id name } }
  deletedPrograms: programsConnection(first: 100, filter: { ids: $programs, deleted: true }) { nodes { id name } }
  deletedBranches: branchesConnection(first: 100, filter: { ids: $branches, deleted: true }) { nodes { id name } }
  first: programsConnection(first: 10, orderBy: NAME_ASC) { nodes { id name } }
  catalogStats { programs branches years }
  notes(first: 50, filter: { done: false }) { nodes { text } }
  lastChanges(first: 1) { kind recordId }
}`;

/** What is on a page and not in the database, in words. */
export async function wrongOf(url: string, evaluated: unknown): Promise<string[]> {
  const page = shownSchema.parse(evaluated);
  const idsOf = (kind: string): number[] => [
    ...new Set(page.records.filter((found) => found.kind === kind).map(({ id }) => id)),
  ];
  const variables = { programs: idsOf('programs').slice(0, 100), branches: idsOf('branches').slice(0, 100) };
  const { data } = state.parse(await ask(url, { query, variables }));
  const { catalogStats: stats } = data;
  const deleted = { programs: data.deletedPrograms.nodes, branches: data.deletedBranches.nodes };
  const wrong = [...page.notices];
  if (page.records.length === 0) wrong.push('no records');
  for (const { kind, id, name, duration, level, isChange } of page.records) {
    if (!variables[kind].includes(id)) continue;
    const found = [...data[kind].nodes, ...(isChange ? deleted[kind] : [])].find((node) => node.id === id);
    if (found === undefined) wrong.push(`${name} (${kind} ${id}) does not exist`);
    // A change shows the name that its record had then.
    else if (!isChange && found.name !== name) wrong.push(`${name} is called ${found.name}`);
    else if (duration !== undefined && duration !== found.duration)
      wrong.push(`${name}: ${duration}, not ${found.duration}`);
    else if (level !== undefined && level !== (found.attributes?.find(({ key }) => key === 'level')?.value ?? ''))
      wrong.push(`${name} has another level than ${level}`);
  }
  const notes = data.notes.nodes.map(({ text }) => text);
  if (page.path === '/notes' && page.notes.join() !== notes.join()) wrong.push(`notes ${page.notes.join()}`);
  const [newest] = data.lastChanges;
  const [first] = page.records.filter(({ isChange }) => isChange);
  const isNewest = first?.id === newest?.recordId && first?.kind.startsWith(newest?.kind?.toLowerCase() ?? '');
  if (['/', '', '/changes'].includes(page.path) && isNewest !== true)
    wrong.push(`the newest change is of ${newest?.kind} ${newest?.recordId}, not ${first?.kind} ${first?.id}`);
  if (page.path === '/programs' && page.isAtStart) {
    const rows = page.records.slice(0, data.first.nodes.length).map(({ id }) => id);
    if (rows.join() !== data.first.nodes.map(({ id }) => id).join()) wrong.push(`the list begins with ${rows.join()}`);
  }
  const figures = [stats.programs, stats.branches, stats.years].map((count) => count.toLocaleString('en'));
  if (page.figures.length > 0 && page.figures.join() !== figures.join())
    wrong.push(`figures ${page.figures.join(' ')}`);
  return wrong;
}

const program = z.object({
  data: z.object({
    program: z.object({ name: z.string(), code: z.nullable(z.string()) }),
    notes: z.object({ nodes: z.array(z.object({ id: z.int(), text: z.string() })) }),
  }),
});

/** A program and its open notes, as the database has them. */
export async function programOf(url: string, id: number) {
  const query = `{
    program(id: ${id}) { name code }
    notes(first: 10, filter: { programId: ${id}, done: false }) { nodes { id text } }
  }`;
  const { data } = program.parse(await ask(url, { query }));
  return { ...data.program, notes: data.notes.nodes };
}

/** Closes the open notes of a program. */
export async function closeNotes(url: string, id: number): Promise<void> {
  for (const note of (await programOf(url, id)).notes)
    await ask(url, { query: `mutation { markNote(id: ${note.id}) { id } }` });
}

const level = z.object({
  data: z.object({
    catalogStats: z.object({ programs: z.int(), branches: z.int() }),
    notes: z.object({ totalCount: z.int() }),
  }),
});

/** How many programs, branches and open notes the database has. */
export async function levelOf(url: string): Promise<readonly number[]> {
  const query = '{ catalogStats { programs branches } notes(filter: { done: false }) { totalCount } }';
  const { catalogStats, notes } = level.parse(await ask(url, { query })).data;
  return [catalogStats.programs, catalogStats.branches, notes.totalCount];
}

const failed = z.object({ errors: z.array(z.unknown()) });

/** Asks the service, again while it is away or too busy. */
async function ask(url: string, body: object): Promise<unknown> {
  for (;;) {
    const headers = { 'x-api-key': adminKey, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${url}/graphql`, request).catch(() => undefined);
    const answer: unknown = response?.ok ? await response.json() : undefined;
    if (answer !== undefined && !failed.safeParse(answer).success) return answer;
    await delay(500);
  }
}
