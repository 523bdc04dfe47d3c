import { type ColumnChoice, type FileColumn, type FormatColumn, formatColumns } from '../fields/file-columns.ts';
import { t } from '../language/language.ts';

/** Whether a file names its records by their ids. */
export const hasIds = (choice: ColumnChoice): boolean =>
  Object.values(choice).some((column) => column === 'program_id' || column === 'branch_id');

/** The attributes that a column can become, named by its head; none without letters or digits of a key. */
export function attributesFor(name: string): readonly { readonly value: string; readonly text: string }[] {
  const words =
    name
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const key = words.join('_').slice(0, 40);
  return (key === '' ? [] : (['program', 'branch'] as const)).map((kind) => ({
    value: `${kind}_attr:${key}`,
    text: t('transfer.attributeOf', { key, kind }),
  }));
}

/** A file without any column of branches is a list of programs. */
export function missingColumns(choice: ColumnChoice): readonly FormatColumn[] {
  const chosen = Object.values(choice).filter((column) => column !== undefined);
  const hasBranches = chosen.some((column) => column.startsWith('branch_'));
  return formatColumns.filter(
    ({ column, isRequired }) =>
      isRequired && !chosen.includes(column) && (hasBranches || column.startsWith('program_')),
  );
}

/** Whether an update may leave the values of existing records as they are. */
export const isKeepable = (column: string): boolean =>
  column.includes(':') || !/_(?:id|new_code|occurrence)$/.test(column);

/** A column in words, else by its name in the file. */
export const titleOf = (choice: ColumnChoice, column: string): string =>
  formatColumns.find((known) => known.column === column)?.text ?? nameIn(choice, column);

/** The parameters `map.NAME`: the names of the file that differ from those of the format, and the columns to leave out. */
export const mappingOf = (
  columns: readonly FileColumn[],
  choice: ColumnChoice,
): readonly { readonly column: string; readonly name: string }[] =>
  columns.flatMap(({ name, column }) => {
    const chosen = choice[name];
    if (chosen !== undefined) return chosen === column ? [] : [{ column: chosen, name }];
    const isLeftOut = column !== null && !Object.values(choice).includes(column);
    return isLeftOut ? [{ column, name: '' }] : [];
  });

/** The name that a column of the format has in the file. */
export const nameIn = (choice: ColumnChoice, column: string): string =>
  Object.entries(choice).find(([, chosen]) => chosen === column)?.[0] ?? column;
