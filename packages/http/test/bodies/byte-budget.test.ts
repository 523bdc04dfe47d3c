import { expect, it } from 'vitest';
import { createByteBudget } from '../../src/bodies/byte-budget.ts';

function clientsOf(bytesMax: number) {
  const budget = createByteBudget(bytesMax);
  const cutOff: string[] = [];
  return { cutOff, client: (name: string) => budget.hold(() => cutOff.push(name)) };
}

it('cuts off those that have held bytes for the longest time, until the others have room', () => {
  const { cutOff, client } = clientsOf(100);
  const [first, second, third] = [client('first'), client('second'), client('third')];
  second.set(40);
  first.set(40);
  third.set(20);
  expect(cutOff).toEqual([]);

  third.set(90);

  expect(cutOff).toEqual(['second', 'first']);
});

it('lets a client begin anew that has held nothing in between, and forgets those that have left', () => {
  const { cutOff, client } = clientsOf(100);
  const [first, second, left] = [client('first'), client('second'), client('left')];
  for (const one of [first, second, left]) one.set(30);
  first.set(0);
  first.set(30);
  left.release();
  left.set(500);

  second.set(71);

  expect(cutOff).toEqual(['second']);
});

it('does not cut off what waits for others than its client, and rejects the newest instead', () => {
  const { cutOff, client } = clientsOf(100);
  const [whole, sending] = [client('whole'), client('sending')];
  whole.set(90);
  whole.settle();

  sending.set(11);
  expect(cutOff).toEqual(['sending']);

  whole.release();
  client('next').set(100);
  expect(cutOff).toEqual(['sending']);
});
