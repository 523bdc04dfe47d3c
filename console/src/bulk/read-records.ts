import type { Client } from 'urql';
import type { RecordKind } from '../api/event-stream.ts';
import { branchRecord, branchValues } from '../branch/branch-values.ts';
import { BranchesDocument } from '../branch/documents.generated.ts';
import type { FieldValues } from '../forms/drafts.ts';
import type { Versioned } from '../forms/use-edit.ts';
import { ProgramsDocument } from '../program/documents.generated.ts';
import { programRecord, programValues } from '../program/program-values.ts';

/** A record with the values of its form, and the fields by which a file names it. */
export interface ReadRecord extends Versioned {
  readonly values: FieldValues;
  readonly record: Readonly<Record<string, string | number>>;
}

const pageSize = 100;

/** Reads records as they are now, by their ids; `null` if they cannot be read. */
export async function readRecords(
  client: Client,
  kind: RecordKind,
  ids: readonly number[],
): Promise<readonly ReadRecord[] | null> {
  const records: ReadRecord[] = [];
  for (let at = 0; at < ids.length; at += pageSize) {
    const page = await readPage(client, kind, ids.slice(at, at + pageSize));
    if (page === undefined) return null;
    records.push(...page);
  }
  return records;
}

async function readPage(client: Client, kind: RecordKind, ids: number[]): Promise<ReadRecord[] | undefined> {
  const page = { filter: { ids }, orderBy: 'ID_ASC', first: pageSize } as const;
  const fresh = { requestPolicy: 'network-only' } as const;
  if (kind === 'PROGRAM') {
    const variables = { ...page, withMatches: false, withAttributes: true };
    const { data } = await client.query(ProgramsDocument, variables, fresh);
    return data?.programsConnection.nodes.map((program) => ({
      ...program,
      values: programValues({ ...program, attributes: program.attributes ?? [] }),
      record: programRecord(program),
    }));
  }
  const { data } = await client.query(BranchesDocument, { ...page, withProgram: true }, fresh);
  return data?.branchesConnection.nodes.map((branch) => ({
    ...branch,
    values: branchValues(branch),
    record: branchRecord(branch),
  }));
}
