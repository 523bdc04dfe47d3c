import { z } from 'zod';
import { identifierMax } from './identifier.ts';

const bigintMax = 2n ** 63n - 1n;
const intMax = BigInt(identifierMax);

const numbersMax = {
  Program: [intMax],
  Branch: [intMax],
  /** The branch, and the number of the year. */
  BranchYear: [intMax, intMax],
  User: [intMax],
  ApiKey: [intMax],
  AuditEntry: [bigintMax],
} as const;

export type NodeType = keyof typeof numbersMax;

export interface NodeKey {
  readonly type: NodeType;
  readonly id: string;
}

/** Encodes a type and an identifier: unique among the records of all types, and the same for ever. */
export function encodeNodeId(type: string, id: number | bigint | string): string {
  return Buffer.from(`${type}:${id}`).toString('base64url');
}

/** Decodes a `nodeId`; `undefined` when it is not exactly what `encodeNodeId` returns. */
export function decodeNodeId(nodeId: string): NodeKey | undefined {
  const [type, ...numbers] = Buffer.from(nodeId, 'base64url').toString('latin1').split(':');
  const id = numbers.join(':');
  if (!isNodeType(type) || encodeNodeId(type, id) !== nodeId || numbers.length !== numbersMax[type].length) {
    return undefined;
  }
  const areValid = numbersMax[type].every((max, index) => isNumber(numbers[index], max));
  return areValid ? { type, id } : undefined;
}

function isNumber(text: string | undefined, max: bigint): boolean {
  return text !== undefined && /^(?:0|[1-9]\d{0,18})$/.test(text) && BigInt(text) <= max;
}

function isNodeType(type: string | undefined): type is NodeType {
  return type !== undefined && Object.hasOwn(numbersMax, type);
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
