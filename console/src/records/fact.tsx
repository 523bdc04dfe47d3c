import type { ReactNode } from 'react';

/** A value of a record with its name; stands in `<dl className="facts">`. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="name-text">{children}</dd>
    </div>
  );
}
