import type { TestServer } from '../support/server.ts';

interface Problem {
  readonly kind: 'PROGRAM' | 'BRANCH';
  readonly id: number;
  readonly code: string;
  readonly message: string;
}

export interface BulkResult {
  readonly changeId: string | null;
  readonly changed: number;
  readonly unchanged: number;
  readonly problems: readonly Problem[];
}

export interface UndoResult {
  readonly changeId: string | null;
  readonly undone: number;
  readonly left: readonly Problem[];
  readonly leftCount: number;
}

const problem = 'kind id code message';

/** The mutations of many records at a server; each throws what the response has as an error. */
export function bulkOf(server: TestServer) {
  const resultOf = async (field: string, document: string, variables: object) => {
    const { body } = await server.graphql(document, variables);
    if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
    return body.data[field];
  };
  return {
    many: (field: string, ids: readonly number[], dryRun = false): Promise<BulkResult> =>
      resultOf(
        field,
        `mutation ($ids: [Int!]!, $dryRun: Boolean) {
          ${field}(ids: $ids, dryRun: $dryRun) { changeId changed unchanged problems { ${problem} } }
        }`,
        { ids, dryRun },
      ),
    update: (
      field: 'updatePrograms' | 'updateBranches',
      ids: readonly number[],
      input: object,
      dryRun = false,
    ): Promise<BulkResult> =>
      resultOf(
        field,
        `mutation ($ids: [Int!]!, $input: U${field.slice(1)}Input!, $dryRun: Boolean) {
          ${field}(ids: $ids, input: $input, dryRun: $dryRun) { changeId changed unchanged problems { ${problem} } }
        }`,
        { ids, input, dryRun },
      ),
    undo: (changeId: string | null): Promise<UndoResult> =>
      resultOf(
        'undoChange',
        `mutation ($changeId: ID!) { undoChange(changeId: $changeId) { changeId undone left { ${problem} } leftCount } }`,
        { changeId },
      ),
    /** The change of the newest entry of the audit log. */
    latestChange: async (): Promise<string> =>
      (await server.graphql('{ auditLog(first: 1) { nodes { changeId } } }')).body.data.auditLog.nodes[0].changeId,
  };
}

/** All that the catalog has, deleted records too; without versions and times, which every change sets. */
export async function catalogOf({ database }: Pick<TestServer, 'database'>) {
  return {
    programs: await database.query(
      'SELECT id, name, duration, code, deleted_at IS NULL AS is_there FROM programs ORDER BY id',
    ),
    branches: await database.query(
      `SELECT id, program_id, name, description, code_prefix, code_is_numeric, deleted_at IS NULL AS is_there,
        deleted_with_program,
        (SELECT array_agg(code ORDER BY year) FROM branch_years WHERE branch_id = branches.id) AS years
      FROM branches ORDER BY id`,
    ),
  };
}
