interface FormatColumn {
  readonly column: string;
  readonly text: string;
  readonly isRequired: boolean;
  /** Without spaces and punctuation. */
  readonly synonyms: readonly string[];
}

/** The columns of the import format that have a name to choose. */
export const formatColumns: readonly FormatColumn[] = [
  { column: 'program_name', text: 'Name of the program', isRequired: true, synonyms: ['program', 'programme'] },
  { column: 'program_duration', text: 'Duration of the program', isRequired: true, synonyms: ['duration'] },
  { column: 'program_code', text: 'Code of the program', isRequired: false, synonyms: ['code'] },
  { column: 'branch_name', text: 'Name of the branch', isRequired: true, synonyms: ['branch', 'specialization'] },
  { column: 'branch_code', text: 'Code of the branch', isRequired: false, synonyms: ['branchcode'] },
  { column: 'branch_years', text: 'Number of years', isRequired: true, synonyms: ['years', 'numberofyears'] },
  { column: 'branch_description', text: 'Description of the branch', isRequired: false, synonyms: ['description'] },
  { column: 'branch_code_prefix', text: 'Prefix of the year codes', isRequired: false, synonyms: ['prefix'] },
  { column: 'branch_code_is_numeric', text: 'Year codes end in a number', isRequired: false, synonyms: [] },
];

/** Columns of the file by columns of the format. */
export type ColumnChoice = Readonly<Partial<Record<string, string>>>;

const letters = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Whether a column of the file has exactly the name of the format. */
const isNamed = (column: string, name: string): boolean => name.trim().toLowerCase() === column;

/** Guesses columns by the name of the format and its synonyms. */
export function guessColumns(names: readonly string[]): ColumnChoice {
  const choice: Record<string, string> = {};
  const isFree = (name: string): boolean => !Object.values(choice).includes(name);
  for (const { column } of formatColumns) {
    const name = names.find((one) => isNamed(column, one)) ?? names.find((one) => letters(one) === letters(column));
    if (name !== undefined) choice[column] = name;
  }
  for (const { column, synonyms } of formatColumns) {
    const name = names.find((one) => isFree(one) && synonyms.includes(letters(one)));
    if (choice[column] === undefined && name !== undefined) choice[column] = name;
  }
  return choice;
}

export const missingColumns = (choice: ColumnChoice): readonly FormatColumn[] =>
  formatColumns.filter(({ column, isRequired }) => isRequired && choice[column] === undefined);

/** Columns without an exact name in the file. */
export const openColumns = (names: readonly string[]): readonly FormatColumn[] =>
  formatColumns.filter(({ column }) => !names.some((name) => isNamed(column, name)));

export const mappingOf = (choice: ColumnChoice): readonly { readonly column: string; readonly name: string }[] =>
  formatColumns.flatMap(({ column }) => {
    const name = choice[column];
    return name === undefined || isNamed(column, name) ? [] : [{ column, name }];
  });
