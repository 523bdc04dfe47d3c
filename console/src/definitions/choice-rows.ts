import type { Definition } from '../fields/definitions.ts';
import type { Block } from '../paste/block.ts';

/** A choice as it is edited; one without a value is not there yet. */
export interface ChoiceRow {
  /** Of the row, as long as the form is open. */
  readonly id: number;
  readonly value: string;
  readonly label: string;
  readonly retired: boolean;
  readonly replacedBy: string;
}

const emptyChoice = { value: '', label: '', retired: false, replacedBy: '' };

export const choiceRows = (choices: readonly Definition['choices'][number][]): readonly ChoiceRow[] =>
  choices.map(({ replacedBy, ...choice }, id) => ({ ...choice, id, replacedBy: replacedBy ?? '' }));

const nextId = (rows: readonly ChoiceRow[]): number => Math.max(-1, ...rows.map(({ id }) => id)) + 1;

export const withNewRow = (rows: readonly ChoiceRow[]): readonly ChoiceRow[] => [
  ...rows,
  { ...emptyChoice, id: nextId(rows) },
];

/**
 * The choices with pasted ones: two columns are values and labels, one is both. A value that is there gets its label;
 * others follow the row into which they are pasted, which they replace if it is empty.
 */
export function withPasted(rows: readonly ChoiceRow[], block: Block, at: number): readonly ChoiceRow[] {
  const pasted = new Map(
    block.flatMap(([first = '', second = '']) => {
      const value = first.trim();
      return value === '' ? [] : [[value, second.trim() || value] as const];
    }),
  );
  const known = new Set(rows.map(({ value }) => value));
  const first = nextId(rows);
  const added = [...pasted]
    .filter(([value]) => !known.has(value))
    .map(([value, label], index) => ({ ...emptyChoice, id: first + index, value, label }));
  const relabelled = rows.map((row) => ({ ...row, label: pasted.get(row.value) ?? row.label }));
  return [...relabelled.slice(0, at + 1), ...added, ...relabelled.slice(at + 1)].filter(({ value }) => value !== '');
}

/** What is saved; the label of a choice without one is its value. */
export const choicesOf = (rows: readonly ChoiceRow[]) =>
  rows
    .filter(({ value }) => value.trim() !== '')
    .map(({ value, label, retired, replacedBy }) => ({
      value: value.trim(),
      label: label.trim() || value.trim(),
      retired,
      replacedBy: retired && replacedBy !== '' ? replacedBy : null,
    }));
