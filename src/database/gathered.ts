import DataLoader from 'dataloader';
import { direct } from './around.ts';
import { type AnyTransaction, type Statement, selectFrom, sourceOf, type Told } from './select.ts';

/** A statement that does the same thing many times over, and what it is made of. */
interface Gathered<Asked, Row, Answer> extends Omit<Statement, 'values'> {
  values(all: readonly Asked[]): unknown[];
  /** An answer for each that was asked, in their order. */
  answers(rows: readonly Told<Row>[], all: readonly Asked[]): readonly (Answer | Error)[];
}

/** Makes a statement of which all that is asked of one transaction at the same moment is done at once. */
export function gathered<Asked, Row, Answer>({
  values,
  answers,
  ...statement
}: Gathered<Asked, Row, Answer>): (tx: AnyTransaction, asked: Asked) => Promise<Answer> {
  const gatherings = new WeakMap<AnyTransaction, DataLoader<Asked, Answer>>();
  const gatheringOf = (tx: AnyTransaction): DataLoader<Asked, Answer> => {
    const there = gatherings.get(tx);
    if (there !== undefined) return there;
    const source = { ...sourceOf(tx), around: direct };
    const made = new DataLoader(
      async (all: readonly Asked[]) =>
        answers(await selectFrom<Row>(source, { ...statement, values: values(all) }), all),
      { cache: false },
    );
    gatherings.set(tx, made);
    return made;
  };
  return (tx, asked) => {
    const { around = direct } = sourceOf(tx);
    // Whoever shares a statement with others has waited for it all the same.
    return around(statement.before ?? statement.text, () => gatheringOf(tx).load(asked));
  };
}
