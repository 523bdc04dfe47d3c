import type { RecordKind } from '../../api/event-stream.ts';
import type { Option } from '../../components/fields.tsx';
import { countedOption, useAttributeValues } from '../../fields/used-values.ts';
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
}

const noOptions: readonly Option<string>[] = [];

export function comparing(field: ComparedField, given: unknown, put: (given: Given | undefined) => Search): ListFilter {
  const found = condition.parse(given);
  const chosen = found === undefined ? undefined : conditionIn(found);
  return {
    ...field,
    value: chosen && JSON.stringify(found),
    ...(chosen && { sentence: conditionText(field.name, chosen, field.range) }),
    condition: chosen,
    put: (next) => put(next === undefined ? undefined : inAddress(conditionIn(conditionOrText.parse(next)))),
    useOptions: field.useOptions ?? (() => noOptions),
    Editor: ConditionEditor,
  };
}

/** The filter by an attribute, whether it is chosen or not. */
export const attributeFilter = (kind: RecordKind, search: Search, key: string): ListFilter => {
  const given = attributesIn(search)[key];
  return comparing(
    {
      id: `attribute ${key}`,
      name: key,
      modes: ['is', 'isNot', 'range', 'isEmpty', 'isFilled'],
      range: 'texts',
      useOptions: () => useAttributeValues(kind, key)?.map(countedOption),
    },
    given === null ? { has: false } : given,
    (next) => withAttribute(search, key, next),
  );
};
