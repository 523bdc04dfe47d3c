// Keeps a copy of the catalog in a JSON file: reads everything once, then the changes every few seconds.
// KEY=… tsx examples/copy/copy.ts catalog.json; with --once, as for cron, it ends when the copy is up to date.
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
const [file = 'catalog.json'] = process.argv.slice(2).filter((argument) => argument !== '--once');
const once = process.argv.includes('--once');

/** Codes of errors that pass; with any other, the same request would fail again. */
const passing = ['UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL_SERVER_ERROR'];
const attemptsMax = 10;

class Rejected extends Error {}

interface Answer<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** Sends a request until the service answers it: what a broken connection or a proxy sends instead is no answer. */
async function query<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  for (let attempt = 1; ; attempt += 1) {
    let problem: unknown;
    let retryAfter: string | null = null;
    try {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({ query: document.toString(), variables }),
        signal: AbortSignal.timeout(60_000),
      });
      retryAfter = response.headers.get('retry-after');
      problem = `status ${response.status}`;
      const { data, errors = [] }: Answer<Data> = await response.json();
      if (data && errors.length === 0) return data;
      const lasting = errors.find(({ extensions = {} }) => extensions.code && !passing.includes(extensions.code));
      if (lasting) throw new Rejected(lasting.message);
    } catch (failure) {
      if (failure instanceof Rejected) throw failure;
      problem = `${problem ?? ''} ${failure}`;
    }
    process.stderr.write(`${problem}\n`);
    if (once && attempt === attemptsMax) throw new Rejected('The service does not answer.');
    // As long as the service asks for, else longer each time.
    await pause(1_000 * (Number(retryAfter) || Math.min(2 ** (attempt - 1), 60)));
  }
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

async function follow(): Promise<void> {
  let copy: Copy = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : await readAll((await query(BeginDocument, {})).catalogChanges.cursor);
  for (;;) {
    const { changes, cursor, hasMore, reload } = (await query(ChangesDocument, { after: copy.cursor })).catalogChanges;
    if (reload) copy = await readAll(cursor);
    for (const change of changes) apply(copy, change);
    copy.cursor = cursor;
    save(copy);
    if (once && !hasMore) return;
    if (!hasMore) await pause(Number(interval) * 1_000);
  }
}

follow().catch((problem) => {
  process.stderr.write(`${problem instanceof Rejected ? problem.message : problem}\n`);
  process.exitCode = 1;
});
