import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeNodeId, encodeNodeId } from '../../src/graphql/node.ts';

const types = ['Program', 'Branch', 'User', 'ApiKey', 'AuditEntry'];

describe('a nodeId', () => {
  it('decodes to the type and the identifier that it was encoded from, and no two are the same', () => {
    const nodes = fc.uniqueArray(fc.record({ type: fc.constantFrom(...types), id: fc.nat(2_147_483_647) }), {
      selector: ({ type, id }) => `${type} ${id}`,
      maxLength: 50,
    });
    fc.assert(
      fc.property(nodes, (keys) => {
        const encoded = keys.map(({ type, id }) => encodeNodeId(type, id));
        expect(new Set(encoded).size).toBe(keys.length);
        expect(encoded.map((nodeId) => decodeNodeId(nodeId))).toEqual(
          keys.map(({ type, id }) => ({ type, id: String(id) })),
        );
      }),
    );
  });

  it('holds the largest identifiers, and the branch and number of a year', () => {
    for (const [type, id] of [
      ['AuditEntry', '2147483647'],
      ['BranchYear', '2147483647:10'],
    ] as const) {
      expect(decodeNodeId(encodeNodeId(type, id))).toEqual({ type, id });
    }
  });

  it('is rejected unless it is exactly as encoded', () => {
    const encode = (text: string) => Buffer.from(text).toString('base64url');
    const nodeId = encodeNodeId('Program', 1);
    expect(decodeNodeId(nodeId)).toBeDefined();
    const forged = [
      ...['Program:01', 'Program:-1', 'Program:1.0', 'Program:', 'Program', ':1', '', 'Program:1:2', 'Program: 1'],
      ...['program:1', 'Viewer:1', 'toString:1', '__proto__:1', 'Program:2147483648', 'Program:9'.padEnd(60, '9')],
      ...['AuditEntry:2147483648', 'BranchYear:1', 'BranchYear:1:01', 'BranchYear:1:', 'Ｐrogram:1'],
    ].map(encode);
    for (const text of [...forged, `${nodeId}=`, `${nodeId} `, ` ${nodeId}`, '1', 'Program:1', nodeId.toLowerCase()]) {
      expect(decodeNodeId(text), text).toBeUndefined();
    }
  });

  it('is rejected, and nothing else happens, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        const key = decodeNodeId(text);
        expect(key === undefined || encodeNodeId(key.type, key.id) === text).toBe(true);
      }),
    );
  });
});
