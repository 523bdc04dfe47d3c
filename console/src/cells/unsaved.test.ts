import { describe, expect, it } from 'vitest';
import {
  afterSending,
  released,
  type SavedCell,
  sendableCells,
  type UnsavedCell,
  waiting,
  withCell,
} from './unsaved.ts';

const code: UnsavedCell = {
  kind: 'PROGRAM',
  id: 7,
  field: 'code',
  name: 'Physics',
  heading: 'Code',
  typed: 'NEW',
  known: ['OLD'],
  version: 3,
  by: 'ada',
};
const duration: UnsavedCell = { ...code, field: 'duration', typed: '5 Years', known: ['4 Years'] };
const other: UnsavedCell = { ...code, id: 8 };
const sentCode = { ...code, tried: { key: 'k', typed: 'NEW', version: 3, at: 0 } };
const sent = (cells: readonly UnsavedCell[]) => cells.map(({ id, field }) => `${id} ${field}`);

describe('values of cells that are not saved yet', () => {
  it('are sent in order, one of each record at a time, by the user who has entered them', () => {
    const cells = [code, duration, other, { ...other, id: 9, by: 'zeno' }, { ...other, id: 10, by: null }];
    expect(sent(sendableCells(cells, 'ada', false))).toEqual(['7 code', '8 code']);
  });

  it.each([
    ['waits for the connection', { waits: true }, false, true],
    ['was rejected', { problem: 'It must not be empty.' }, false, false],
    ['has a record that does not exist, until it is restored', { waits: true, problem: 'Gone' }, false, true],
    ['would replace a value of somebody else', { problem: 'Changed', theirs: 'X' }, false, false],
  ])('are sent when one %s: %o; at once %s, once the service is back %s', (_, state, atOnce, later) => {
    const cells = [{ ...code, ...state }];
    expect([false, true].map((withWaiting) => sendableCells(cells, 'ada', withWaiting).length > 0)).toEqual([
      atOnce,
      later,
    ]);
  });

  it('wait, and are said to, when there is no session to send them with', () => {
    const cells = waiting([code, { ...other, waits: true }]);
    expect(cells).toEqual([
      { ...code, waits: true },
      { ...other, waits: true },
    ]);
    expect([sent(sendableCells(cells, 'ada', false)), sent(sendableCells(cells, 'ada', true)), waiting(cells)]).toEqual(
      [[], ['7 code', '8 code'], cells],
    );
  });

  it('were rejected, and stay so, while there is no session', () => {
    const rejected = [{ ...code, problem: 'No' }];
    expect(waiting(rejected)).toBe(rejected);
  });

  it('are one for each cell: the last', () => {
    expect(withCell([code, other], { ...code, typed: 'NEWER' })).toEqual([other, { ...code, typed: 'NEWER' }]);
  });

  it.each<[string, SavedCell, UnsavedCell[]]>([
    ['saved', { version: 4 }, [{ ...duration, version: 4 }, other]],
    ['overtaken in other fields', { again: 5 }, [{ ...code, known: ['OLD', 'NEW'], version: 5 }, duration, other]],
    ['not sent, or perhaps', { waits: true }, [{ ...sentCode, waits: true, known: ['OLD', 'NEW'] }, duration, other]],
    ['rejected', { problem: 'No' }, [{ ...code, problem: 'No' }, duration, other]],
    ['overtaken', { problem: 'No', theirs: 'X' }, [{ ...code, problem: 'No', theirs: 'X' }, duration, other]],
    ['of no record', { problem: 'Gone', waits: true }, [{ ...code, problem: 'Gone', waits: true }, duration, other]],
  ])('are these after the first was %s', (_, outcome, left) => {
    expect(afterSending([sentCode, duration, other], sentCode, outcome)).toEqual(left);
  });

  it.each<[string, SavedCell]>([
    ['saved', { version: 4 }],
    ['overtaken in other fields', { again: 5 }],
    ['rejected', { problem: 'No' }],
  ])('that waited for the first of their record are sent at once when that was %s', (_, outcome) => {
    const gone = { ...duration, waits: true, problem: 'Gone' };
    const left = afterSending([{ ...sentCode, waits: true }, gone, { ...other, waits: true }], sentCode, outcome);
    const first = 'again' in outcome ? '7 code' : '7 duration';
    expect(sent(sendableCells(left, 'ada', false))).toEqual([first]);
  });

  it('that wait go on waiting when the first of their record could not be sent either', () => {
    const left = afterSending([sentCode, { ...duration, waits: true }], sentCode, { waits: true });
    expect(sendableCells(left, 'ada', false)).toEqual([]);
  });

  it.each([
    ['typed', ['OLD', 'NEW'], ['NEW']],
    ['typed twice', ['OLD', 'NEW', 'NEWER'], ['NEW', 'NEWER']],
    ['chosen over a value of somebody else', ['THEIRS'], ['THEIRS']],
    ['chosen over one that was there before', ['OLD'], ['OLD']],
  ])('are over the same as the user has decided, when they were %s while the first was saved', (_, seen, known) => {
    const cells = withCell([sentCode], { ...code, typed: 'NEWEST', known: seen });
    expect(afterSending(cells, sentCode, { version: 4 })).toMatchObject([{ typed: 'NEWEST', known }]);
  });

  it.each<[string, SavedCell, Partial<UnsavedCell>]>([
    ['saved', { version: 4 }, { known: ['NEW'], version: 4, tried: undefined }],
    ['overtaken in other fields', { again: 5 }, { version: 5, tried: undefined }],
    ['perhaps saved', { waits: true }, { waits: true }],
    ['overtaken', { problem: 'No', theirs: 'X' }, { tried: undefined }],
  ])('keep what was typed in a cell whose earlier value was %s while it was in flight', (_, outcome, changed) => {
    const typed = { ...code, typed: 'NEWER', known: ['OLD', 'NEW'] };
    const cells = withCell([sentCode], typed);
    expect(afterSending(cells, sentCode, outcome)).toEqual([
      { ...typed, known: ['OLD', 'NEW'], tried: sentCode.tried, ...changed },
    ]);
  });

  it('of other fields have seen nothing that others have saved before the one that was sent again', () => {
    const again = { ...sentCode, version: 5, tried: { ...sentCode.tried, version: 5 } };
    expect(afterSending([again, duration], again, { version: 6 })).toEqual([duration]);
  });

  it('are sent again by a button: those of a page that was left, none that was rejected, has no record, or is over somebody else’s', () => {
    const rejected = { ...code, problem: 'No' };
    const gone = { ...duration, problem: 'Gone', waits: true };
    const overtaken = { ...other, problem: 'No', theirs: 'X' };
    const cells = released([rejected, gone, overtaken, { ...duration, id: 9, by: null, waits: true }], 'ada');
    expect(sent(sendableCells(cells, 'ada', false))).toEqual(['9 duration']);
  });
});
