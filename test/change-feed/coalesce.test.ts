import { describe, expect, it } from 'vitest';
import type { LoggedChange } from '../../src/academics/changes/catalog-log.ts';
import { coalesceChanges } from '../../src/academics/changes/coalesce.ts';

type Action = LoggedChange['action'];

const branch = (action: Action, id = 1, programId = 7): LoggedChange => ({ kind: 'BRANCH', action, id, programId });
const program = (action: Action, id = 7): LoggedChange => ({ kind: 'PROGRAM', action, id, programId: id });
const moved = (previousProgramId: number, programId: number): LoggedChange => ({
  kind: 'BRANCH',
  action: 'UPDATE',
  id: 1,
  programId,
  previousProgramId,
});
const unmoved = (...changes: readonly LoggedChange[]) =>
  changes.map((change) => ({ ...change, previousProgramId: null }));

describe('coalesceChanges', () => {
  it.each<[Action[], Action[]]>([
    [['CREATE'], ['CREATE']],
    [['CREATE', 'UPDATE'], ['CREATE']],
    [['CREATE', 'UPDATE', 'DELETE'], []],
    [['CREATE', 'DELETE', 'RESTORE'], ['CREATE']],
    [['RESTORE', 'UPDATE'], ['RESTORE']],
    [['RESTORE', 'DELETE'], []],
    [['UPDATE', 'UPDATE'], ['UPDATE']],
    [['UPDATE', 'DELETE'], ['DELETE']],
    [['UPDATE', 'DELETE', 'RESTORE'], ['UPDATE']],
    [['DELETE', 'RESTORE'], ['UPDATE']],
    [['DELETE', 'CREATE'], ['UPDATE']],
    [['DELETE', 'RESTORE', 'DELETE'], ['DELETE']],
    [
      ['NOTE', 'UPDATE', 'NOTE'],
      ['NOTE', 'UPDATE'],
    ],
  ])('turns %j into %j', (actions, coalesced) => {
    expect(coalesceChanges(actions.map((action) => branch(action)))).toEqual(
      unmoved(...coalesced.map((action) => branch(action))),
    );
  });

  it('orders records by their first change', () => {
    const changes = [
      program('CREATE'),
      branch('CREATE', 1),
      branch('CREATE', 2),
      branch('UPDATE', 1),
      program('UPDATE'),
    ];

    expect(coalesceChanges(changes)).toEqual(unmoved(program('CREATE'), branch('CREATE', 1), branch('CREATE', 2)));
  });

  it('does not confuse programs and branches with the same id', () => {
    const changes = [program('CREATE', 1), branch('DELETE', 1)];

    expect(coalesceChanges(changes)).toEqual(unmoved(...changes));
  });

  it.each<[string, LoggedChange[], object[]]>([
    ['moved', [moved(7, 8)], [moved(7, 8)]],
    ['moved and updated', [moved(7, 8), branch('UPDATE', 1, 8)], [moved(7, 8)]],
    ['updated and moved', [branch('UPDATE', 1, 7), moved(7, 8)], [moved(7, 8)]],
    ['moved twice', [moved(7, 8), moved(8, 9)], [moved(7, 9)]],
    ['moved there and back', [moved(7, 8), moved(8, 7)], unmoved(branch('UPDATE', 1, 7))],
    ['moved and deleted', [moved(7, 8), branch('DELETE', 1, 8)], [{ ...moved(7, 8), action: 'DELETE' }]],
    ['created and moved', [branch('CREATE', 1, 7), moved(7, 8)], unmoved(branch('CREATE', 1, 8))],
  ])('says where a branch was that is %s', (_what, changes, coalesced) => {
    expect(coalesceChanges(changes)).toEqual(coalesced);
  });
});
