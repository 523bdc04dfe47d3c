// Batches with DataLoader: calls of one transaction in the same tick become one statement, e.g. in a group commit. One
// Error among the results fails its item only; a failing statement fails all items.
import DataLoader from 'dataloader';
import {
  type AnyTransaction,
  type Executor,
  executorOf,
  type JsonRow,
  noHook,
  queryJsonFrom,
  type Statement,
} from './sql.ts';

interface BatchedStatement<Item, Row, Result> extends Omit<Statement, 'values'> {
  values(items: readonly Item[]): unknown[];
  /** Returns results in the order of the items. */
  results(rows: readonly JsonRow<Row>[], items: readonly Item[]): readonly (Result | Error)[];
}

/** A function whose calls of one tick and transaction are one statement; each gets its own result. */
export function batchedStatement<Item, Row, Result>({
  values,
  results,
  ...statement
}: BatchedStatement<Item, Row, Result>): (tx: AnyTransaction, item: Item) => Promise<Result> {
  const batches = new WeakMap<AnyTransaction, DataLoader<Item, Result>>();
  const batchOf = (tx: AnyTransaction): DataLoader<Item, Result> => {
    const existing = batches.get(tx);
    if (existing !== undefined) return existing;
    // The type rejects an unknown option, which a spread would let pass.
    const executor: Executor = { ...executorOf(tx), hook: noHook };
    const batch = new DataLoader(
      async (items: readonly Item[]) =>
        results(await queryJsonFrom<Row>(executor, { ...statement, values: values(items) }), items),
      { cache: false },
    );
    batches.set(tx, batch);
    return batch;
  };
  return (tx, item) => {
    const { hook = noHook } = executorOf(tx);
    // Each item gets a span of the whole statement, since it waits for all of it.
    return hook(statement.ctes ?? statement.text, () => batchOf(tx).load(item));
  };
}
