import { describe, expect, it, vi } from 'vitest';

/** The module in two tabs of a browser, and one that is opened later. */
async function tab() {
  vi.resetModules();
  return import('./own-saves.ts');
}
const here = await tab();
const there = await tab();
let id = 0;
const nextRecord = () => {
  id += 1;
  return { kind: 'PROGRAM', id } as const;
};
type Record = ReturnType<typeof nextRecord>;
const send = (record: Record, code: string, key?: string) => there.keepSent([{ ...record, values: { code } }], key);
/** Waits until this tab has heard all that the other has said. */
async function heard(): Promise<void> {
  const last = nextRecord();
  send(last, 'LAST');
  await vi.waitFor(() => expect(here.saverOf(last, 'code', 'LAST', 1)).toBe('self'));
}

describe('a value that appears in another tab', () => {
  it.each<[string, (record: Record) => void, string, number, 'self' | 'other']>([
    ['is the user’s own before the answer', (record) => send(record, 'NEW'), 'NEW ', 4, 'self'],
    ['is the user’s own after it', (record) => send(record, 'NEW')(4), 'NEW', 4, 'self'],
    ['is that of somebody else, if the user’s was rejected', (record) => send(record, 'NEW')(null), 'NEW', 4, 'other'],
    ['is that of somebody else, if the user has sent another', (record) => send(record, 'NEW'), 'THEIRS', 4, 'other'],
    ['is that of somebody else, if the user has sent none', () => undefined, 'NEW', 4, 'other'],
    [
      'is the user’s own, if that was sent again and then made',
      (record) => {
        send(record, 'NEW', 'again');
        send(record, 'NEW', 'again')(4);
      },
      'NEW',
      4,
      'self',
    ],
    [
      'is the user’s own, though they have sent a later one',
      (record) => {
        send(record, 'NEW')(4);
        send(record, 'NEWER');
      },
      'NEW',
      4,
      'self',
    ],
    [
      'is the user’s own, though a later one was made that is not read yet',
      (record) => {
        send(record, 'NEW')(4);
        send(record, 'NEWER')(5);
      },
      'NEW',
      4,
      'self',
    ],
    [
      'is that of somebody else, who has brought back an earlier one of the user',
      (record) => {
        send(record, 'NEW')(4);
        send(record, 'NEWER')(5);
      },
      'NEW',
      6,
      'other',
    ],
  ])('%s', async (_, act, value, version, by) => {
    const record = nextRecord();
    act(record);
    await heard();
    expect([
      here.saverOf(record, 'code', value, version),
      here.isOwnSave(record, 'code', value, version),
      here.saverOf(record, 'name', value, version),
      here.saverOf({ ...record, kind: 'BRANCH' }, 'code', value, version),
      there.isOwnSave(record, 'code', value, version),
    ]).toEqual([by, false, 'other', 'other', by === 'self']);
  });

  it('is the user’s own, too, in one that was opened since', async () => {
    const record = nextRecord();
    send(record, 'NEW')(4);
    const later = await tab();
    await vi.waitFor(() => expect(later.saverOf(record, 'code', 'NEW', 4)).toBe('self'));
  });
});

it('what was saved here is shown until a list has it, and what is only sent is not', () => {
  const record = nextRecord();
  send(record, 'NEW')(4);
  send(record, 'NEWER');
  const since = (version: number) => there.savedSince({ ...record, version });
  expect([since(3), since(4)]).toEqual([[['code', { typed: 'NEW' }]], []]);
});
