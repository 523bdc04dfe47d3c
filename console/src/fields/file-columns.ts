import { t } from '../language/language.ts';

export interface FormatColumn {
  readonly column: string;
  readonly text: string;
  readonly isRequired: boolean;
  /** What files call it, as `plain` has it. */
  readonly synonyms: readonly string[];
}

type Known =
  | `program_${'name' | 'duration' | 'code' | 'new_code' | 'id'}`
  | `branch_${'name' | 'code' | 'years' | 'description' | 'code_prefix' | 'code_is_numeric' | 'new_code' | 'id'}`;

const known = (column: Known, isRequired: boolean, synonyms: string): FormatColumn => ({
  column,
  text: t(`fileColumn.${column}`),
  isRequired,
  synonyms: synonyms.split(' '),
});

/** The columns of the import format that have a name to choose; some synonyms are German, French and Spanish. */
export const formatColumns: readonly FormatColumn[] = [
  known(
    'program_name',
    true,
    'program programtitle degree degreename studiengang diplome formation programa titulacion grado',
  ),
  known('program_duration', true, 'duration durationofprogram courseduration dauer regelstudienzeit duree duracion'),
  known('program_code', false, 'code codeofprogram programid degreecode codigo'),
  known(
    'branch_name',
    true,
    'branch specialization specialisation discipline stream major course coursename fachrichtung filiere specialite especialidad',
  ),
  known('branch_code', false, 'codeofbranch coursecode branchid disciplinecode'),
  known('branch_years', true, 'years yearsofstudy durationinyears durationyears jahre studienjahre annees anos'),
  known('branch_description', false, 'description descriptionofbranch remarks beschreibung descripcion'),
  known('branch_code_prefix', false, 'prefix codeprefix'),
  known('branch_code_is_numeric', false, 'codeisnumeric'),
  known('program_new_code', false, 'newcode newprogramcode'),
  known('branch_new_code', false, 'newbranchcode'),
  known('program_id', false, 'programnumber'),
  known('branch_id', false, 'branchnumber'),
];

/** What files and lists call the name of a record, in the languages of the console. */
const namesOfAny: readonly string[] = ['name', 'nom', 'nombre'];

/** A column of the file, with some of its values. */
export interface FileColumn {
  readonly name: string;
  /** The column of the format with this very name. */
  readonly column: string | null;
  readonly values: readonly string[];
}

/** Columns of the format by names of the file; those that are not imported are absent. */
export type ColumnChoice = Readonly<Partial<Record<string, string>>>;

/** A name without what people write differently: `No. of years`, `Academic Programme Name`. */
export const plain = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('programme', 'program')
    .replaceAll('ofthe', 'of')
    .replace(/^(?:academic|numberof|noof|nameof(?=program|branch))/, '');

/** The columns that a file is likely to mean: by the names of the format, then by what files call them. */
export function guessColumns(columns: readonly FileColumn[]): ColumnChoice {
  const choice = new Map<string, string>();
  const isTaken = (column: string): boolean => [...choice.values()].includes(column);
  const guess = (matches: (file: FileColumn, format: FormatColumn) => boolean): void => {
    for (const format of formatColumns) {
      const found = columns.find((file) => !choice.has(file.name) && matches(file, format));
      if (found !== undefined && !isTaken(format.column)) choice.set(found.name, format.column);
    }
  };
  // Those that export has for equal records have no name to choose.
  for (const { name, column } of columns) if (column !== null && !isTaken(column)) choice.set(name, column);
  guess(({ name }, { column }) => plain(name) === plain(column));
  guess(({ name }, { synonyms }) => synonyms.includes(plain(name)));
  // As the list of programs calls it: a file with programs and branches says of which it is.
  guess(({ name }, { column }) => column === 'program_name' && namesOfAny.includes(plain(name)));
  return Object.fromEntries(choice);
}
