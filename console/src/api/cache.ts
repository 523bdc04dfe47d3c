import { type Cache, cacheExchange } from '@urql/exchange-graphcache';
import type { CatalogChangedSubscription } from './documents.generated.ts';

type Change = CatalogChangedSubscription['catalogChanged'];

/** Types whose objects belong to their parent field. */
const embedded = [
  'Attribute',
  'AttributeKey',
  'AttributeValueCount',
  'AuditLogConnection',
  'AuditLogEdge',
  'BranchConnection',
  'BranchEdge',
  'BranchesCount',
  'BulkProblem',
  'BulkResult',
  'CatalogChange',
  'CatalogStats',
  'ChangeSummary',
  'DayChanges',
  'DurationCount',
  'EarlierCounts',
  'NewApiKey',
  'PageInfo',
  'ProgramConnection',
  'ProgramEdge',
  'UndoResult',
  'Viewer',
  'ViewerKey',
  'YearsCount',
];

/** There are no events for users and keys: these mutations invalidate them. */
const accessMutations = [
  'createUser',
  'updateUser',
  'deleteUser',
  'endSessions',
  'createApiKey',
  'updateApiKey',
  'rotateApiKey',
  'revokeApiKey',
];

function forgetAccess(_result: unknown, _arguments: unknown, cache: Cache): void {
  for (const { fieldName, arguments: given } of cache.inspectFields('Query')) {
    // The caller may have changed their own role.
    if (['users', 'apiKeys', 'auditLog', 'viewer'].includes(fieldName)) cache.invalidate('Query', fieldName, given);
  }
}

export const cacheOptions = {
  keys: Object.fromEntries(embedded.map((type) => [type, () => null])),
  updates: {
    Mutation: Object.fromEntries(accessMutations.map((name) => [name, forgetAccess])),
    Subscription: {
      catalogChanged: (result: unknown, _arguments: unknown, cache: Cache) =>
        applyChange((result as CatalogChangedSubscription).catalogChanged, cache),
    },
  },
};

/** The normalized cache: a mutation or an event updates a record in every query. */
export const catalogCache = () => cacheExchange(cacheOptions);

/** An event has the values of a record, and not the lists that it belongs to. */
function applyChange(change: Change, cache: Cache): void {
  keepLast(change, cache);
  const { action, kind, programId, branchId, previousProgramId } = change;
  if (action === 'RELOAD') {
    for (const { fieldName, arguments: given } of cache.inspectFields('Query')) {
      if (fieldName !== 'viewer') cache.invalidate('Query', fieldName, given);
    }
    return;
  }
  if (kind === 'PROGRAM') {
    if (action === 'UPDATE') return;
    const program = { __typename: 'Program', id: programId ?? 0 };
    cache.invalidate('Query', 'program', { id: programId });
    // Its branches were deleted or restored with it.
    forgetBranches(cache, (branch) => cache.resolve({ ...branch }, 'program') === cache.keyOfEntity(program));
    if (action === 'DELETE') removeFromLists(cache, 'programsConnection', program);
    return;
  }
  if (action === 'UPDATE' && previousProgramId === null) return;
  forgetBranches(cache, ({ id }) => id === branchId);
  if (action === 'DELETE') removeFromLists(cache, 'branchesConnection', { __typename: 'Branch', id: branchId ?? 0 });
  forgetCounts(cache, programId);
  forgetCounts(cache, previousProgramId);
}

/**
 * Graphcache frees a record with its last link. A record that only an event has brought has none and would stay for
 * ever, so it gets a link until the next event.
 */
function keepLast({ program, branch }: Change, cache: Cache): void {
  if (program) cache.link('Query', 'lastChangedProgram', { __typename: 'Program', id: program.id });
  if (branch) cache.link('Query', 'lastChangedBranch', { __typename: 'Branch', id: branch.id });
}

/** Invalidates the number of branches of a program, which lists show. */
function forgetCounts(cache: Cache, programId: number | null): void {
  const program = { __typename: 'Program', id: programId ?? 0 };
  for (const { fieldName, arguments: given } of cache.inspectFields(program)) {
    if (fieldName === 'branchesConnection') cache.invalidate(program, fieldName, given);
  }
}

interface Entity {
  readonly __typename: string;
  readonly id: number;
}

/** Removes a record from every cached page of a connection. */
function removeFromLists(cache: Cache, field: string, record: Entity): void {
  const removed = cache.keyOfEntity({ ...record });
  for (const { fieldName, fieldKey } of cache.inspectFields('Query')) {
    if (fieldName !== field) continue;
    const page = cache.resolve('Query', fieldKey);
    if (typeof page !== 'string') continue;
    const nodes: unknown = cache.resolve(page, 'nodes');
    if (!Array.isArray(nodes) || !nodes.includes(removed)) continue;
    const others = nodes.filter((key): key is string => typeof key === 'string' && key !== removed);
    cache.link(page, 'nodes', others);
  }
}

/** Invalidates branches that were queried by id. */
function forgetBranches(cache: Cache, concerns: (branch: Entity) => boolean): void {
  for (const { fieldName, arguments: given } of cache.inspectFields('Query')) {
    if (fieldName !== 'branch') continue;
    const branch = { __typename: 'Branch', id: Number(given?.['id']) };
    if (concerns(branch)) cache.invalidate('Query', fieldName, given);
  }
}
