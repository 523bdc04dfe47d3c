import DataLoader from 'dataloader';
import { noHook } from './instrumentation.ts';
import { type AnyTransaction, executorOf, type JsonRow, queryJsonFrom, type Statement } from './sql.ts';

/** A statement that does the same thing many times over, and what it is made of. */
interface BatchedStatement<Asked, Row, Answer> extends Omit<Statement, 'values'> {
  values(all: readonly Asked[]): unknown[];
  /** An answer for each that was asked, in their order. */
  results(rows: readonly JsonRow<Row>[], all: readonly Asked[]): readonly (Answer | Error)[];
}

/** Makes a statement of which all that is asked of one transaction at the same moment is done at once. */
export function batchedStatement<Asked, Row, Answer>({
  values,
  results,
  ...statement
}: BatchedStatement<Asked, Row, Answer>): (tx: AnyTransaction, asked: Asked) => Promise<Answer> {
  const batches = new WeakMap<AnyTransaction, DataLoader<Asked, Answer>>();
  const batchOf = (tx: AnyTransaction): DataLoader<Asked, Answer> => {
    const there = batches.get(tx);
    if (there !== undefined) return there;
    const source = { ...executorOf(tx), hook: noHook };
    const made = new DataLoader(
      async (all: readonly Asked[]) =>
        results(await queryJsonFrom<Row>(source, { ...statement, values: values(all) }), all),
      { cache: false },
    );
    batches.set(tx, made);
    return made;
  };
  return (tx, asked) => {
    const { hook = noHook } = executorOf(tx);
    // Whoever shares a statement with others has waited for it all the same.
    return hook(statement.ctes ?? statement.text, () => batchOf(tx).load(asked));
  };
}
