import type { ReactNode } from 'react';
import type { Attribute } from '../forms/attributes.ts';
import { WebLink } from '../links/web-link.tsx';
import { type Definition, linkOf, textOfValue } from './definitions.ts';

/** The attributes of a record as they are read: the defined ones by their labels, in their order, and then the others. */
export function attributeFacts(
  attributes: readonly Attribute[],
  definitions: readonly Definition[],
): readonly (readonly [name: string, value: ReactNode])[] {
  const values = new Map(attributes.map(({ key, value }) => [key, value]));
  const defined = definitions.flatMap((definition) => {
    const value = values.get(definition.key);
    if (value === undefined) return [];
    values.delete(definition.key);
    const text = textOfValue(definition)(value);
    const link = <WebLink key={definition.key} href={linkOf(definition, value)} text={text} />;
    return [[definition.label, link] as const];
  });
  return [...defined, ...values];
}
