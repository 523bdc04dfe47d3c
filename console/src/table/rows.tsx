import type { ReactNode } from 'react';

interface RowsProps {
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
}

/** A table that scrolls in its own frame, by keyboard too. */
export function Rows({ label, heads, rows }: RowsProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table scrolls by keyboard, too.
    <section aria-label={label} tabIndex={0} className="scrolled report">
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own, and do not move.
            <tr key={at}>
              {heads.map((head, column) => (
                <td key={head} className="name-text" translate="no">
                  {cells[column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
