import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isOwnChange, isOwnSave, keepSent, ownChange, savedSince } from './own-saves.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const changeOf = (recordId: number, after: unknown = '5 Years') => ({
  kind: 'PROGRAM' as const,
  recordId,
  fields: [{ field: 'duration', after }],
});

it('an event of a record is of the user’s own change while that is sent, and for a moment once it is done', async () => {
  let respond: (isDone: boolean) => void = () => undefined;
  const send = () =>
    ownChange(
      [changeOf(1)],
      new Promise<boolean>((resolve) => {
        respond = resolve;
      }),
      (isDone) => isDone,
    );
  const are = () => [
    isOwnChange({ kind: 'PROGRAM', id: 1 }),
    isOwnChange({ kind: 'PROGRAM', id: 2 }),
    isOwnChange({ kind: 'BRANCH', id: 1 }),
  ];
  const [none, own] = [
    [false, false, false],
    [true, false, false],
  ];
  expect(are()).toEqual(none);
  const rejected = send();
  expect(are()).toEqual(own);
  respond(false);
  await rejected;
  expect(are()).toEqual(none);

  const done = send();
  respond(true);
  await done;
  expect(are()).toEqual(own);
  vi.advanceTimersByTime(1_500);
  expect(are()).toEqual(none);
});

describe('a value that appears just after the user’s own change of many', () => {
  it.each([
    ['that it set', 'PROGRAM', 11, 'duration', '5 Years', true],
    ['that it set in another record', 'PROGRAM', 12, 'duration', '5 Years', true],
    ['that it emptied', 'PROGRAM', 13, 'duration', '', true],
    ['of the same field, by somebody else', 'PROGRAM', 11, 'duration', '6 Years', false],
    ['of another field of the record', 'PROGRAM', 11, 'code', 'THEIRS', false],
    ['of a record that it did not touch', 'PROGRAM', 14, 'duration', '5 Years', false],
    ['of another kind of record', 'BRANCH', 11, 'duration', '5 Years', false],
  ] as const)('%s', async (_, kind, id, field, value, isKnown) => {
    const records = [changeOf(11), changeOf(12), changeOf(13, null)];
    await ownChange(records, Promise.resolve(true), (isDone) => isDone);
    expect(isOwnSave({ kind, id }, field, value, 1)).toBe(isKnown);
  });

  it('is not known when the change was not made', async () => {
    await ownChange([changeOf(21)], Promise.resolve(false), (isDone) => isDone);
    expect(isOwnSave({ kind: 'PROGRAM', id: 21 }, 'duration', '5 Years', 1)).toBe(false);
  });
});

describe('a value that appears in a later version of a record', () => {
  let id = 100;
  it.each<
    [string, (send: (code: string, key?: string) => (version: number | null) => void) => void, string, number, boolean]
  >([
    ['is the page’s own before the answer', (send) => send('NEW'), 'NEW ', 4, true],
    ['is its own after it', (send) => send('NEW')(4), 'NEW', 4, true],
    ['is not, if its own was rejected', (send) => send('NEW')(null), 'NEW', 4, false],
    ['is not, if it has sent another', (send) => send('NEW'), 'THEIRS', 4, false],
    [
      'is its own, if that was sent again and then made',
      (send) => {
        send('NEW', 'again');
        send('NEW', 'again')(4);
      },
      'NEW',
      4,
      true,
    ],
    [
      'is its own, though a later one was made that is not read yet',
      (send) => {
        send('NEW')(4);
        send('NEWER')(5);
      },
      'NEW',
      4,
      true,
    ],
    [
      'is not, if somebody has brought back an earlier one',
      (send) => {
        send('NEW')(4);
        send('NEWER')(5);
      },
      'NEW',
      6,
      false,
    ],
  ])('%s', (_, act, value, version, isOwn) => {
    id += 1;
    const record = { kind: 'PROGRAM', id } as const;
    act((code, key) => keepSent([{ ...record, values: { code } }], key));
    expect([isOwnSave(record, 'code', value, version), isOwnSave(record, 'name', value, version)]).toEqual([
      isOwn,
      false,
    ]);
  });

  it('is shown until a list has it, if it was saved here, and not while it is only sent', () => {
    const record = { kind: 'PROGRAM', id: 99 } as const;
    keepSent([{ ...record, values: { code: 'NEW' } }])(4);
    keepSent([{ ...record, values: { code: 'NEWER' } }]);
    const since = (version: number) => savedSince({ ...record, version });
    expect([since(3), since(4)]).toEqual([[['code', { typed: 'NEW' }]], []]);
  });
});
