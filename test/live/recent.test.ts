import { describe, expect, it } from 'vitest';
import { reload } from '../../src/live/catalog-event.ts';
import { createRecent, type Told } from '../../src/live/recent.ts';

const event = reload('an event', new Date(0));
const entry = (position: number, events = 1): Told => ({
  position,
  events: Array.from({ length: events }, () => event),
});
const at = (position: number) => ({ position, events: 0 });

describe('the recent entries', () => {
  it('are found from any place on, gaps between them or not', () => {
    const recent = createRecent();
    recent.startBehind(10);
    recent.add([entry(11), entry(14), entry(15)]);

    expect([10, 11, 12, 14, 15, 16].map((position) => recent.firstFrom(at(position))?.position)).toEqual([
      11,
      11,
      14,
      14,
      15,
      undefined,
    ]);
    expect(recent.last()).toBe(15);
  });

  it('reach as far back as they began', () => {
    const recent = createRecent();
    recent.startBehind(10);
    recent.add([entry(12)]);

    expect([9, 10, 11, 12, 13].map((position) => recent.reaches(at(position)))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it('are as many as have a thousand events, whatever is added', () => {
    const recent = createRecent();
    for (let position = 1; position <= 3_000; position += 1) recent.add([entry(position)]);

    expect(recent.reaches(at(2_000))).toBe(false);
    expect(recent.reaches(at(2_001))).toBe(true);
    expect(recent.firstFrom(at(1))?.position).toBe(2_001);
  });

  it('count by their events, and those that have none too', () => {
    const recent = createRecent();
    recent.add([entry(1, 100), entry(2, 0), entry(3, 899), entry(4, 1)]);

    expect(recent.firstFrom(at(1))?.position).toBe(2);
  });

  it('always hold the last one', () => {
    const recent = createRecent();
    recent.add([entry(1), entry(2, 5_000)]);

    expect(recent.firstFrom(at(1))?.position).toBe(2);
  });
});
