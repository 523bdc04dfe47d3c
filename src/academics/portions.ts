import { restingTurn } from '@service/http/resting-turns';

/** What is serialized in one turn of the event loop. */
const portionCharacters = 500_000;

/** Divides rows among turns of the event loop, whatever their size. */
export async function* portionsOf<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  let begin = 0;
  let characters = 0;
  for (const [at, row] of rows.entries()) {
    characters += charactersOf(row);
    if (characters < portionCharacters) continue;
    yield rows.slice(begin, at + 1);
    await restingTurn();
    begin = at + 1;
    characters = 0;
  }
  if (begin < rows.length) yield rows.slice(begin);
}

const charactersOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, part) => sum + charactersOf(part), 0);
};
