import { Rows } from '../import-report/report-table.tsx';
import { formatColumns } from './columns.ts';

/** The columns that files usually have, as a spreadsheet shows them. */
const example = [
  ['program_name', 'program_duration', 'branch_name', 'branch_years', 'branch_code_prefix'],
  ['Bachelor of Technology', '4 Years', 'Computer Science', '4', 'CS'],
  ['Bachelor of Technology', '4 Years', 'Civil Engineering', '4', 'CE'],
  ['Bachelor of Laws', '3 Years'],
];

export function FileFormat() {
  const [heads = [], ...rows] = example;
  return (
    <details>
      <summary>What a file looks like</summary>
      <Rows label="Example of a file" heads={heads} rows={rows} />
      <p>
        One row for each branch, its program repeated; a row without a branch is a program without branches. Columns
        with other names are matched when the file is there.
      </p>
      <Rows
        label="Columns"
        heads={['Column', 'What it is', 'Needed']}
        rows={formatColumns.map(({ column, text, isRequired }) => [column, text, isRequired ? 'yes' : 'no'])}
      />
    </details>
  );
}
