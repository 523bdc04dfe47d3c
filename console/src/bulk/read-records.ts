import type { Client } from 'urql';
import type { RecordKind } from '../api/event-stream.ts';
import { branchRecord, branchValues } from '../branch/branch-values.ts';
import { BranchesDocument, type BranchFilter } from '../branch/documents.generated.ts';
import type { FieldValues } from '../forms/drafts.ts';
import type { Versioned } from '../forms/use-edit.ts';
import { type ProgramFilter, ProgramsDocument, type ProgramsQuery } from '../program/documents.generated.ts';
import { programRecord, programValues } from '../program/program-values.ts';

/** A record with the values of its form, and the fields by which a file names it. */
export interface ReadRecord extends Versioned {
  readonly values: FieldValues;
  readonly record: Readonly<Record<string, string | number>>;
}

const pageSize = 100;

/** Reads records as they are now, by their ids, or deleted ones; `null` if they cannot be read. */
export const readRecords = (client: Client, kind: RecordKind, ids: readonly number[], deleted = false) =>
  readAll(client, kind, ids, (some) => ({ ids: some, deleted }));

/** Reads the records with these codes, of branches those of a program, unless it is not known. */
export const readByCodes = (client: Client, kind: RecordKind, codes: readonly string[], programId?: number) =>
  readAll(client, kind, codes, (some) => ({ codes: some, ...(kind === 'BRANCH' && { programId }) }));

async function readAll<Value>(
  client: Client,
  kind: RecordKind,
  values: readonly Value[],
  filterOf: (values: Value[]) => RecordFilter,
): Promise<readonly ReadRecord[] | null> {
  const records: ReadRecord[] = [];
  for (let at = 0; at < values.length; at += pageSize) {
    const filter = filterOf(values.slice(at, at + pageSize));
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof readPage>> = await readPage(client, kind, filter, after);
      if (page === undefined) return null;
      records.push(...page.records);
      after = page.after;
    } while (after !== null);
  }
  return records;
}

type RecordFilter = ProgramFilter & BranchFilter;

/** Returns a page and the cursor after it; `undefined` if it cannot be read. */
async function readPage(client: Client, kind: RecordKind, filter: RecordFilter, after: string | null) {
  const page = { filter, orderBy: 'ID_ASC', first: pageSize, after } as const;
  const fresh = { requestPolicy: 'network-only' } as const;
  if (kind === 'PROGRAM') {
    const { data } = await client.query(ProgramsDocument, { ...page, withMatches: false, withAttributes: true }, fresh);
    return (
      data &&
      pageOf(data.programsConnection, (program) => ({
        ...program,
        values: programValues({ ...program, attributes: program.attributes ?? [] }),
        record: programRecord(program),
      }))
    );
  }
  const { data } = await client.query(BranchesDocument, { ...page, withProgram: true }, fresh);
  return (
    data &&
    pageOf(data.branchesConnection, (branch) => ({
      ...branch,
      values: branchValues(branch),
      record: branchRecord(branch),
    }))
  );
}

interface Connection<Node> extends Pick<ProgramsQuery['programsConnection'], 'pageInfo'> {
  readonly nodes: readonly Node[];
}

const pageOf = <Node>({ nodes, pageInfo }: Connection<Node>, recordOf: (node: Node) => ReadRecord) => ({
  records: nodes.map(recordOf),
  after: pageInfo.hasNextPage ? pageInfo.endCursor : null,
});
