import DataLoader from 'dataloader';
import { z } from 'zod';
import { toServiceError } from '../operations/errors.ts';
import { type DescribedOperation, defineRead, type Read } from '../operations/operation.ts';
import { perform } from '../operations/perform.ts';
import type { Reading } from '../operations/request.ts';
import { identifierMax, notFound } from '../validation/validate.ts';
import { builder } from './builder.ts';
import { reads } from './performing.ts';

/** How many numbers the identifier of a record has. */
const numbersOf = {
  Program: 1,
  Branch: 1,
  /** The branch, and the number of the year. */
  BranchYear: 2,
  Note: 1,
  Edition: 1,
  User: 1,
  ApiKey: 1,
  AuditEntry: 1,
} as const;

type NodeType = keyof typeof numbersOf;

export interface NodeKey {
  readonly type: NodeType;
  readonly id: string;
}

/** Encodes a type and an identifier: unique among the records of all types, and the same for ever. */
export function encodeNodeId(type: string, id: number | string): string {
  return Buffer.from(`${type}:${id}`).toString('base64url');
}

/** Decodes a `nodeId`; `undefined` when it is not exactly what `encodeNodeId` returns. */
export function decodeNodeId(nodeId: string): NodeKey | undefined {
  const [type, ...numbers] = Buffer.from(nodeId, 'base64url').toString('latin1').split(':');
  const id = numbers.join(':');
  if (!isNodeType(type) || encodeNodeId(type, id) !== nodeId || numbers.length !== numbersOf[type]) return undefined;
  return numbers.every(isIdentifier) ? { type, id } : undefined;
}

function isIdentifier(text: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(text) && Number(text) <= identifierMax;
}

function isNodeType(type: string | undefined): type is NodeType {
  return type !== undefined && Object.hasOwn(numbersOf, type);
}

const nodeId = (field: string) =>
  z.string().transform((text, context) => {
    const key = decodeNodeId(text);
    if (key !== undefined) return key;
    context.addIssue({ code: 'custom', message: `${field} must be a nodeId that this API has returned.` });
    return z.NEVER;
  });

const nodesMax = 100;

const nodeRequest = z.object({ nodeId: nodeId('nodeId') });

const nodesRequest = z.object({
  nodeIds: z
    .array(z.string())
    .max(nodesMax, `nodeIds must be at most ${nodesMax}.`)
    .pipe(z.array(nodeId('each of nodeIds'))),
});

export const nodeIdDescription =
  'Identifier of the record among the records of all types, for `node` and `nodes`; opaque.';

/** The type of a row follows from a name, which `node` and `nodes` add. */
export const Node = builder.interfaceRef<{ readonly id: number }>('Node').implement({
  description: 'A record with an identifier that no record of any type shares (Relay).',
  resolveType: (row) => ('__typename' in row ? String(row.__typename) : undefined),
  fields: (t) => ({
    nodeId: t.id({
      description: nodeIdDescription,
      resolve: ({ id }, _args, _context, { parentType }) => encodeNodeId(parentType.name, id),
    }),
  }),
});

interface Row {
  readonly id: number;
}

export type IdentifiedRow = readonly [id: string, row: Row];

/** Reads existing records in one statement, in any order. */
type ReadNodes = (ids: readonly string[], reading: Reading) => Promise<readonly IdentifiedRow[]>;

const operations = new Map<NodeType, Read<readonly string[], readonly IdentifiedRow[]>>();

/** Makes records of a type nodes, for callers who may perform the ordinary query of this type. */
export function readAsNodes(type: NodeType, { access }: Pick<DescribedOperation, 'access'>, run: ReadNodes): void {
  const input = z.array(z.string()).readonly();
  operations.set(type, defineRead({ name: 'node', access, scope: 'uncacheable', input, run }));
}

/** Identifies rows by their `id`. */
export function byId(rows: readonly (Row | undefined)[]): IdentifiedRow[] {
  return rows.flatMap((row) => (row === undefined ? [] : [[String(row.id), row] as const]));
}

/** The name of the type resolves `Node`. */
interface NodeRow extends Row {
  readonly __typename: NodeType;
}

type NodeLoader = DataLoader<string, NodeRow>;

/** Reads the nodes of one type together; each rejects for a caller without the permission to read it. */
function createNodeLoader(type: NodeType, reading: Reading): NodeLoader {
  const operation = operations.get(type);
  if (operation === undefined) throw new Error(`${type} is no node.`);
  return new DataLoader<string, NodeRow>(async (ids) => {
    const rows = new Map(await perform(operation, () => ids, reading));
    return ids.map((id) => {
      const row = rows.get(id);
      return row === undefined ? notFound(type, id) : { ...row, __typename: type };
    });
  });
}

/** Loaders by request, so that all fields and aliases of one are batched. */
const loaders = new WeakMap<Reading, Map<NodeType, NodeLoader>>();

function loadNode({ type, id }: NodeKey, context: Reading): Promise<NodeRow> {
  const byType = loaders.get(context) ?? new Map<NodeType, NodeLoader>();
  loaders.set(context, byType);
  const loader = byType.get(type) ?? createNodeLoader(type, context);
  byType.set(type, loader);
  return loader.load(id);
}

const readNode = defineRead({
  name: 'node',
  access: 'user',
  scope: 'uncacheable',
  input: nodeRequest,
  run: ({ nodeId }, reading) => loadNode(nodeId, reading),
});

const readNodes = defineRead({
  name: 'nodes',
  access: 'user',
  scope: 'uncacheable',
  input: nodesRequest,
  run: async ({ nodeIds }, reading) => {
    const nodes = await Promise.all(nodeIds.map((key) => loadNode(key, reading).catch(toServiceError)));
    // GraphQL takes an error in a list for that of its item; the types of resolvers leave it out.
    return nodes as NodeRow[];
  },
});

builder.queryField('node', (t) =>
  t.field({
    type: Node,
    nullable: true,
    description:
      'A record of any type by its `nodeId`, with the permission of its ordinary query; `null`, with a `NOT_FOUND` error, when it does not exist or was deleted.',
    args: { nodeId: t.arg.id({ required: true, description: 'The `nodeId` of the record.' }) },
    ...reads(readNode),
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description: 'Records of any types by their `nodeId`s, at most 100, in this order; each as `node` returns it.',
    args: { nodeIds: t.arg.idList({ required: true, description: 'The `nodeId`s of the records.' }) },
    ...reads(readNodes),
  }),
);
