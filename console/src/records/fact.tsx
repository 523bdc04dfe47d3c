import type { ReactNode } from 'react';

/** A row of `<dl className="facts">`. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="name-text">{children}</dd>
    </div>
  );
}
