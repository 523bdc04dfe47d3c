import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createJoinedParts } from '../../src/bodies/joined-parts.ts';
import { joinSmallParts } from '../../src/bodies/small-parts.ts';

const memoryOf = (parts: readonly Buffer[]): number => parts.reduce((sum, part) => sum + part.buffer.byteLength, 0);
/** A byte of its own memory, as the parser of Node hands it on. */
const byteOf = (at: number): Buffer => Buffer.from(new Uint8Array([at % 256]).buffer);

it('parts of a byte that arrive one after another take little more than their bytes', () => {
  const bytes = Array.from({ length: 20_000 }, (_, at) => byteOf(at));
  const joined = createJoinedParts();
  for (const byte of bytes) joined.add(byte);

  expect(joined.memory()).toBeLessThan(30_000);
  const parts = joined.takeAll();
  expect(Buffer.concat(parts).equals(Buffer.concat(bytes))).toBe(true);
  expect(parts.length).toBeLessThan(10);
  expect(memoryOf(parts)).toBeLessThan(30_000);
});

it('a part that is alone or large is not copied', () => {
  const joined = createJoinedParts();
  const [large, small] = [Buffer.alloc(10_000), Buffer.alloc(10)];
  joined.add(large);
  joined.add(small);
  const parts = joined.takeAll();
  expect(parts[0]).toBe(large);
  expect(parts[1]?.buffer).toBe(small.buffer);
});

it('a small part of a body that arrives alone in its turn takes no more than its bytes', async () => {
  const request = new IncomingMessage(new Socket());
  joinSmallParts(request);
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  for (let at = 0; at < 50; at += 1) {
    request.push(byteOf(at));
    await nextTurn();
    await nextTurn();
  }
  expect(Buffer.concat(parts)).toHaveLength(50);
  expect(memoryOf(parts)).toBeLessThan(1_000);
});
