import type { ComponentType } from 'react';
import type { Option } from '../components/fields.tsx';
import type { Condition, Mode, RangeOf } from './condition.ts';

/** The parameters of a list in its address, which is parsed whenever it changes. */
export type Search = Readonly<Record<string, unknown>>;

export interface EditorProps {
  readonly filter: ListFilter;
  readonly search: Search;
  readonly change: (changes: Search) => void;
  /** Changes the search and closes the popup. */
  readonly choose: (changes: Search) => void;
}

/** A filter of a list: a chip in its bar, once it has a value. */
export interface ListFilter {
  readonly id: string;
  readonly name: string;
  readonly value: string | undefined;
  /** How the chip shows the value, if not as it is. */
  readonly text?: string | undefined;
  /** What the chip says, if not the name and the value. */
  readonly sentence?: string;
  /** How the field is compared now, and how it may be. */
  readonly condition?: Condition | undefined;
  readonly modes?: readonly Mode[];
  readonly range?: RangeOf | undefined;
  readonly textOf?: (value: string) => string;
  /** The parameters with another value, or without one. */
  readonly put: (value?: unknown) => Search;
  /** A filter without an editor is turned on by the value `on`, or by links alone. */
  readonly Editor?: ComponentType<EditorProps>;
  readonly on?: unknown;
  /** The options of a choice, beside the present value; `undefined` while they load. */
  readonly useOptions: (value: string | undefined) => readonly Option<string>[] | undefined;
}
