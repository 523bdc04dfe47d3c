import type { CellValue, DropDown } from '@service/tabular/xlsx';
import type { DefinedAttributes } from '../../definitions/defined-attributes.ts';
import type { Definition } from '../../definitions/definitions.ts';
import { kindOf, kindWords } from '../../kinds.ts';
import type { AttributeKind } from '../../rules/value-forms.ts';
import { attributeOf, attributePrefixes, type Column } from '../columns.ts';

/** The definition of a column of a table. */
function definitionOf(column: Column, defined: DefinedAttributes): Definition | undefined {
  const attribute = attributeOf(column);
  return attribute && defined.of(kindOf(attribute.kind), attribute.key);
}

/** The columns of all attributes that are defined: a table has them, to be filled, though no record has them yet. */
export const definedColumns = (defined: DefinedAttributes): Column[] =>
  kindWords.flatMap((word) =>
    defined.list
      .filter(({ key }) => defined.of(kindOf(word), key) !== undefined)
      .map(({ key }) => attributePrefixes[word] + key),
  );

const kindTexts: Readonly<Record<AttributeKind, string>> = {
  TEXT: 'text',
  CHOICE: 'one of the values below',
  WHOLE_NUMBER: 'whole number, such as 7',
  DECIMAL: 'number, such as 7.5',
  DATE: 'date, such as 2026-12-31',
  YES_NO: 'true or false',
  ADDRESS: 'address that begins with https://',
};

const columns = ['column', 'label', 'values', 'required', 'help', 'value', 'value_label', 'retired', 'replaced_by'];
const valueColumn = columns.indexOf('value');

/** The rows of a definition: what it is, then its choices, those that are retired last. */
function rowsOf(column: Column, { label, kind, required, help, choices }: Definition): CellValue[][] {
  const first = [column, label, kindTexts[kind], required, help, null, null, null, null];
  const values =
    kind === 'YES_NO'
      ? ['true', 'false'].map((value) => ({ value, label: value, retired: false, replacedBy: null }))
      : [];
  const listed = kind === 'CHOICE' ? choices.toSorted((a, b) => Number(a.retired) - Number(b.retired)) : values;
  return [
    first,
    ...listed.map((one) => [column, null, null, null, null, one.value, one.label, one.retired, one.replacedBy]),
  ];
}

/** The sheet that explains the columns that are defined, and drop-down lists of those that have values to choose from. */
export function explanationsOf(all: readonly Column[], defined: DefinedAttributes) {
  const rows: CellValue[][] = [];
  const lists: DropDown[] = [];
  for (const [at, column] of all.entries()) {
    const definition = definitionOf(column, defined);
    if (definition === undefined) continue;
    const own = rowsOf(column, definition);
    const offered = own.filter((row) => row[valueColumn] !== null && row[columns.indexOf('retired')] === false).length;
    if (offered > 0) {
      lists.push({
        column: at,
        from: { column: valueColumn, firstRow: rows.length + 1, lastRow: rows.length + offered },
      });
    }
    rows.push(...own);
  }
  return rows.length === 0 ? {} : { explanations: { name: 'Columns', columns, rows }, lists };
}
