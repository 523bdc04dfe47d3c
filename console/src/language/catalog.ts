import type { GetICUArgs } from '@schummar/icu-type-parser';
import type { ReactNode } from 'react';
import type { messages as english } from './catalogs/en.ts';

/** A catalog has the messages of the English one, in which types find keys and arguments. */
export type Catalog = {
  readonly [Section in keyof typeof english]: { readonly [Name in keyof (typeof english)[Section]]: string };
};

/** `shell.signOut`: the section of a catalog, and the name of a message in it. */
type Key = { [Section in keyof Catalog]: `${Section}.${keyof Catalog[Section] & string}` }[keyof Catalog];

type Text<Of extends Key> = Of extends `${infer Section extends keyof Catalog}.${infer Name}`
  ? (typeof english)[Section] extends { readonly [Same in Name]: infer Found extends string }
    ? Found
    : never
  : never;

interface ArgumentTypes {
  readonly ICUArgument: string;
  readonly ICUNumberArgument: number;
  readonly ICUDateArgument: Date;
}

type ArgumentsIn<Message extends string> = GetICUArgs<Message, ArgumentTypes>;
type TagsIn<Message extends string> = Message extends `${string}</${infer Tag}>${infer Rest}`
  ? Tag | TagsIn<Rest>
  : never;

type Values<Of extends Key> = keyof ArgumentsIn<Text<Of>> extends never ? [] : [values: ArgumentsIn<Text<Of>>];

/** The values of a message, and for its tags what makes elements of their texts. */
type TaggedValues<Of extends Key, Made> = ArgumentsIn<Text<Of>> & {
  readonly [Tag in TagsIn<Text<Of>>]: (text: Made) => Made;
};

/** The text of a message with its arguments. */
export interface Translate {
  <Of extends Key>(key: Of, ...values: Values<Of>): string;
  rich<Of extends Key>(key: Of, values: TaggedValues<Of, ReactNode>): ReactNode;
  markup<Of extends Key>(key: Of, values: TaggedValues<Of, string>): string;
}

/** The text of a message whose key is not known to types. */
export interface AnyTranslate {
  (key: string, values?: Readonly<Record<string, string | number>>): string;
  has(key: string): boolean;
}
