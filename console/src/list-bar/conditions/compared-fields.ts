import type { RecordKind } from '../../api/event-stream.ts';
import type { Option } from '../../components/fields.tsx';
import { type Definition, textOfValue } from '../../fields/definitions.ts';
import { optionsIn, useAttributeValues } from '../../fields/used-values.ts';
import {
  condition,
  conditionIn,
  conditionOrText,
  type Given,
  inAddress,
  type Mode,
  type RangeOf,
} from '../../lists/condition.ts';
import type { ListFilter, Search } from '../../lists/list-filter.ts';
import { attributesIn, withAttribute } from '../../lists/search.ts';
import { ConditionEditor } from './condition-editor.tsx';
import { conditionText } from './condition-text.ts';

export interface ComparedField {
  readonly id: string;
  readonly name: string;
  readonly modes: readonly Mode[];
  readonly range?: RangeOf;
  readonly useOptions?: ListFilter['useOptions'];
  /** How a value is called. */
  readonly textOf?: (value: string) => string;
}

const noOptions: readonly Option<string>[] = [];

export function comparing(field: ComparedField, given: unknown, put: (given: Given | undefined) => Search): ListFilter {
  const found = condition.parse(given);
  const chosen = found === undefined ? undefined : conditionIn(found);
  return {
    ...field,
    value: chosen && JSON.stringify(found),
    ...(chosen && { sentence: conditionText(field.name, chosen, field.range, field.textOf) }),
    condition: chosen,
    put: (next) => put(next === undefined ? undefined : inAddress(conditionIn(conditionOrText.parse(next)))),
    useOptions: field.useOptions ?? (() => noOptions),
    Editor: ConditionEditor,
  };
}

const attributeModes = ['is', 'isNot', 'range', 'isEmpty', 'isFilled'] as const;

/** The filter by an attribute, whether it is chosen or not; one that is defined has its labels and choices. */
export const attributeFilter = (
  kind: RecordKind,
  search: Search,
  key: string,
  definition: Definition | undefined,
): ListFilter => {
  const given = attributesIn(search)[key];
  const field: ComparedField = {
    id: `attribute ${key}`,
    name: definition?.label ?? key,
    modes: definition === undefined ? attributeModes : [...attributeModes, 'hasProblem'],
    range: 'texts',
    ...(definition && { textOf: textOfValue(definition) }),
    useOptions: () => {
      const used = useAttributeValues(kind, key);
      return used && optionsIn(used, definition);
    },
  };
  return comparing(field, given === null ? { has: false } : given, (next) => withAttribute(search, key, next));
};
