import type { Client } from '@urql/core';
import { type BulkOutcomeFragment, RecordNamesDocument } from './documents.generated.ts';

type Problem = BulkOutcomeFragment['problems'][number];

/** A record that stays as it is, by its name, and why. */
export interface NamedProblem extends Problem {
  readonly name: string;
}

/** How many are shown by name. */
const shownMax = 100;

/**
 * Names the records of problems.
 *
 * @param known Names that the page has: those of deleted records cannot be read.
 */
export async function nameProblems(
  client: Client,
  problems: readonly Problem[],
  known: ReadonlyMap<number, string> = new Map(),
): Promise<NamedProblem[]> {
  const shown = problems.slice(0, shownMax);
  const idsOf = (kind: Problem['kind']): number[] =>
    shown.filter((problem) => problem.kind === kind && !known.has(problem.id)).map(({ id }) => id);
  const unknown = { programs: idsOf('PROGRAM'), branches: idsOf('BRANCH') };
  const isUnknown = unknown.programs.length + unknown.branches.length > 0;
  const { data } = isUnknown ? await client.query(RecordNamesDocument, unknown) : { data: undefined };
  const found = { PROGRAM: data?.programsConnection.nodes, BRANCH: data?.branchesConnection.nodes };
  return shown.map((problem) => {
    const { kind, id } = problem;
    const name = known.get(id) ?? found[kind]?.find((record) => record.id === id)?.name;
    return { ...problem, name: name ?? `${kind === 'PROGRAM' ? 'Program' : 'Branch'} ${id}` };
  });
}
