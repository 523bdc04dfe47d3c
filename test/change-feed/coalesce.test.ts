import { describe, expect, it } from 'vitest';
import type { LoggedChange } from '../../src/academics/changes/catalog-log.ts';
import { coalesceChanges } from '../../src/academics/changes/coalesce.ts';

type Action = LoggedChange['action'];

const branch = (action: Action, id = 1, programId = 7): LoggedChange => ({ kind: 'BRANCH', action, id, programId });
const program = (action: Action, id = 7): LoggedChange => ({ kind: 'PROGRAM', action, id, programId: id });

describe('coalesceChanges', () => {
  it.each<[Action[], Action[]]>([
    [['CREATED'], ['CREATED']],
    [['CREATED', 'UPDATED'], ['CREATED']],
    [['CREATED', 'UPDATED', 'DELETED'], []],
    [['CREATED', 'DELETED', 'CREATED'], ['CREATED']],
    [['UPDATED', 'UPDATED'], ['UPDATED']],
    [['UPDATED', 'DELETED'], ['DELETED']],
    [['UPDATED', 'DELETED', 'CREATED'], ['UPDATED']],
    [['DELETED', 'CREATED'], ['UPDATED']],
    [['DELETED', 'CREATED', 'DELETED'], ['DELETED']],
  ])('turns %j into %j', (actions, coalesced) => {
    expect(coalesceChanges(actions.map((action) => branch(action)))).toEqual(coalesced.map((action) => branch(action)));
  });

  it('orders records by their first change', () => {
    const changes = [
      program('CREATED'),
      branch('CREATED', 1),
      branch('CREATED', 2),
      branch('UPDATED', 1),
      program('UPDATED'),
    ];

    expect(coalesceChanges(changes)).toEqual([program('CREATED'), branch('CREATED', 1), branch('CREATED', 2)]);
  });

  it('does not confuse programs and branches with the same id', () => {
    expect(coalesceChanges([program('CREATED', 1), branch('DELETED', 1)])).toEqual([
      program('CREATED', 1),
      branch('DELETED', 1),
    ]);
  });

  it('reports a moved branch for both of its programs', () => {
    const moved = [branch('DELETED', 1, 7), branch('CREATED', 1, 8)];

    expect(coalesceChanges(moved)).toEqual(moved);
  });
});
