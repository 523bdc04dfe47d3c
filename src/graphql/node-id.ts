import { z } from 'zod';
import { identifierMax } from '../validation/identifier.ts';

/** How many numbers the identifier of a record has. */
const numbersOf = {
  Program: 1,
  Branch: 1,
  /** The branch, and the number of the year. */
  BranchYear: 2,
  User: 1,
  ApiKey: 1,
  AuditEntry: 1,
} as const;

export type NodeType = keyof typeof numbersOf;

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

export const nodeRequest = z.object({ nodeId: nodeId('nodeId') });

export const nodesRequest = z.object({
  nodeIds: z
    .array(z.string())
    .max(nodesMax, `nodeIds must be at most ${nodesMax}.`)
    .pipe(z.array(nodeId('each of nodeIds'))),
});
