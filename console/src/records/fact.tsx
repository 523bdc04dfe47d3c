import type { ReactNode } from 'react';
import type { Attribute } from '../fields/attributes.ts';

/** A row of `<dl className="facts">`. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="name-text">{children}</dd>
    </div>
  );
}

export const Attributes = ({ of: attributes }: { readonly of: readonly Attribute[] }) =>
  attributes.map(({ key, value }) => (
    <Fact key={key} name={key}>
      {value}
    </Fact>
  ));
