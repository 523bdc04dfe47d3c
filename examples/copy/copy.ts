// Keeps a copy of the catalog in a JSON file: reads everything once, then the changes every few seconds, or each night.
// KEY=… tsx examples/copy/copy.ts catalog.json
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import {
  BeginDocument,
  BranchesDocument,
  type BranchesQuery,
  ChangesDocument,
  type ChangesQuery,
  type CopiedBranchFragment,
  type CopiedProgramFragment,
  ProgramsDocument,
  type ProgramsQuery,
  type TypedDocumentString,
} from './generated/operations.ts';

interface Copy {
  /** All changes before it are in the copy. */
  cursor: string;
  programs: Record<number, CopiedProgramFragment>;
  branches: Record<number, CopiedBranchFragment & { programId: number }>;
}

// biome-ignore lint/style/noProcessEnv: a standalone script, configured by its environment.
const { KEY: key = '', BASE_URL: url = 'http://127.0.0.1:4000', INTERVAL_SECONDS: interval = '5' } = process.env;
const [, , file = 'catalog.json'] = process.argv;

async function query<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query: document.toString(), variables }),
  });
  const { data, errors = [] }: { data?: Data; errors?: { message: string }[] } = await response.json();
  if (data === undefined || errors.length > 0) throw new Error(errors.map(({ message }) => message).join(' '));
  return data;
}

/** The cursor comes first: what changes while the pages are read is among the changes after it. */
async function readAll(cursor: string): Promise<Copy> {
  const copy: Copy = { cursor, programs: {}, branches: {} };
  let after: string | null | undefined;
  for (let more = true; more; ) {
    const data: ProgramsQuery = await query(ProgramsDocument, { after });
    const { nodes, pageInfo } = data.programsConnection;
    for (const program of nodes) copy.programs[program.id] = program;
    [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
  }
  after = null;
  for (let more = true; more; ) {
    const data: BranchesQuery = await query(BranchesDocument, { after });
    const { nodes, pageInfo } = data.branchesConnection;
    for (const { program, ...branch } of nodes) copy.branches[branch.id] = { ...branch, programId: program.id };
    [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
  }
  return copy;
}

/** A change has the record as it is now, so it does no harm that some are in the copy already. */
function apply(copy: Copy, change: ChangesQuery['catalogChanges']['changes'][number]): void {
  const { action, kind, programId, branchId, program, branch } = change;
  if (kind === 'PROGRAM' && programId !== null) {
    if (action === 'DELETE' || program === null) delete copy.programs[programId];
    else copy.programs[programId] = program;
  } else if (branchId !== null && programId !== null) {
    if (action === 'DELETE' || branch === null) delete copy.branches[branchId];
    else copy.branches[branchId] = { ...branch, programId };
  }
}

/** The copy and its cursor in one file, replaced at once: a job that is killed goes on from either. */
function save(copy: Copy): void {
  writeFileSync(`${file}.new`, JSON.stringify(copy));
  renameSync(`${file}.new`, file);
}

async function follow(): Promise<never> {
  let copy: Copy = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : await readAll((await query(BeginDocument, {})).catalogChanges.cursor);
  for (;;) {
    const { changes, cursor, hasMore, reload } = (await query(ChangesDocument, { after: copy.cursor })).catalogChanges;
    if (reload) copy = await readAll(cursor);
    for (const change of changes) apply(copy, change);
    copy.cursor = cursor;
    save(copy);
    if (!hasMore) await pause(Number(interval) * 1_000);
  }
}

for (;;) {
  try {
    await follow();
  } catch (problem) {
    // The service restarts, or is busy. The file has the last copy.
    process.stderr.write(`${problem}\n`);
    await pause(Number(interval) * 1_000);
  }
}
