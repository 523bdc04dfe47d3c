import { describe, expect, it } from 'vitest';
import { isNewestOf, rootOf, toRedo, toUndo } from './undo-chains.ts';

type Step = readonly [id: string, undoes?: string | undefined, actor?: string];

/** By which step another is undone: the last of all that undo it, undo that, and so on decides. */
function undoneBy(steps: readonly Step[], id: string): string | null {
  const depths = new Map([[id, 0]]);
  for (const [step, undoes] of steps) {
    const depth = depths.get(undoes ?? '');
    if (depth !== undefined) depths.set(step, depth + 1);
  }
  const [last, depth = 0] = [...depths].at(-1) ?? [id];
  return depth % 2 === 1 ? last : null;
}

/** Changes in the order in which they were made, as the service lists them. */
const listed = (...steps: readonly Step[]) =>
  steps
    .map(([changeId, undoes = null, actor = 'ada']) => ({
      changeId,
      actor,
      undoes,
      undoneBy: undoneBy(steps, changeId),
    }))
    .reverse();

describe('Ctrl-Z and Ctrl-Y', () => {
  it.each<[string, Step[], undo: string | undefined, isNext: boolean, back: string | undefined]>([
    ['after two changes', [['a'], ['b']], 'b', false, undefined],
    ['after the undo of the last', [['a'], ['b'], ['z', 'b']], 'a', true, 'z'],
    ['after the undo of both', [['a'], ['b'], ['z', 'b'], ['y', 'a']], undefined, true, 'y'],
    ['after one was brought back', [['a'], ['b'], ['z', 'b'], ['y', 'a'], ['x', 'y']], 'x', false, 'z'],
    ['after both were', [['a'], ['b'], ['z', 'b'], ['y', 'a'], ['x', 'y'], ['w', 'z']], 'w', false, undefined],
    ['after one was undone again', [['a'], ['z', 'a'], ['y', 'z'], ['x', 'y']], undefined, true, 'x'],
    [
      'after what was brought back was undone by itself',
      [['a'], ['z', 'a'], ['y', 'z'], ['x', 'a']],
      undefined,
      true,
      'x',
    ],
    ['after a new change', [['a'], ['b'], ['z', 'b'], ['c']], 'c', false, undefined],
    ['after changes of others', [['a'], ['b', undefined, 'zeno'], ['z', 'b', 'zeno']], 'a', false, undefined],
    ['after others have undone it', [['a'], ['b'], ['z', 'b', 'zeno']], 'a', false, undefined],
    ['after an undo of what is too old to be listed', [['a'], ['z', 'old']], 'a', true, 'z'],
    ['without changes', [], undefined, false, undefined],
  ])('%s', (_, steps, undo, isNext, back) => {
    const changes = listed(...steps);
    expect(toUndo(changes, 'ada')).toMatchObject({ isNext });
    expect([toUndo(changes, 'ada').change?.changeId, toRedo(changes, 'ada')?.changeId]).toEqual([undo, back]);
  });

  it('say what the first change was, whatever was undone and brought back since', () => {
    const changes = listed(['a'], ['z', 'a'], ['y', 'z'], ['x', 'old']);
    expect(changes.map((change) => rootOf(changes, change).changeId)).toEqual(['x', 'a', 'a', 'a']);
  });
});

describe('the undo that a message offers', () => {
  it.each<[string, Step[], isNewest: boolean]>([
    ['of the last change', [['a']], true],
    ['after a change of somebody else', [['a'], ['b', undefined, 'zeno']], true],
    ['after another change', [['a'], ['b']], false],
    ['after another change was undone', [['a'], ['b'], ['z', 'b']], false],
    ['of what is no longer listed', [['b']], false],
  ])('%s', (_, steps, isNewest) => {
    expect(isNewestOf(listed(...steps), 'a', 'ada')).toBe(isNewest);
  });
});
