import { Fragment } from 'react';
import { CodeBlock } from '../components/code-block.tsx';
import { formatColumns } from './columns.ts';

const example = `program_name,program_duration,branch_name,branch_years,branch_code_prefix
Bachelor of Technology,4 Years,Computer Science,4,CS
Bachelor of Technology,4 Years,Civil Engineering,4,CE
Bachelor of Laws,3 Years,,,`;

export function FileFormat({ sampleUrl }: { readonly sampleUrl: string }) {
  return (
    <details className="columns">
      <summary>What a file looks like</summary>
      <p>
        Excel or CSV with a first row that names the columns, or JSON with an object for each row. Columns with other
        names can be chosen when the file is there. A row without a branch is a program without branches.{' '}
        <a href={sampleUrl} download="university.csv">
          Download the sample
        </a>
      </p>
      <CodeBlock label="example of a file" code={example} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by keyboard, too. */}
      <section aria-label="Columns" tabIndex={0} className="scrolled report">
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">What it is</th>
              <th scope="col">Needed</th>
            </tr>
          </thead>
          <tbody>
            {formatColumns.map(({ column, text, isRequired }) => (
              <tr key={column}>
                <td className="mono">
                  <ColumnName name={column} />
                </td>
                <td>{text}</td>
                <td>{isRequired ? 'yes' : 'no'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

/** A column name that can wrap at its underscores. */
export function ColumnName({ name }: { readonly name: string }) {
  const [first, ...others] = name.split('_');
  return (
    <>
      {first}
      {others.map((word, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a name can have a word twice, and its words do not move.
        <Fragment key={at}>
          _<wbr />
          {word}
        </Fragment>
      ))}
    </>
  );
}
