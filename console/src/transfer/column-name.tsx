import { Fragment } from 'react';

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
