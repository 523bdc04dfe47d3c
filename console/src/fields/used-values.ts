import { useQuery } from 'urql';
import type { RecordKind } from '../api/event-stream.ts';
import type { Option } from '../components/fields.tsx';
import { formatCount } from '../format/text.ts';
import { useRights } from '../session/viewer.tsx';
import { type Definition, offeredBy, textOfValue } from './definitions.ts';
import { AttributeKeysDocument, AttributeValuesDocument, DurationsDocument } from './documents.generated.ts';

/** A value that records have, and how many have it. */
interface Used {
  readonly value: string;
  readonly count: number;
}

export const countedOption = ({ value, count }: Used) => ({ value, text: `${value} (${formatCount(count)})` });

/** The choices of an attribute by their labels, with how many records have each; then the other values in use. */
export function optionsIn(used: readonly Used[], definition: Definition | undefined): readonly Option<string>[] {
  if (definition === undefined) return used.map(countedOption);
  const counts = new Map(used.map(({ value, count }) => [value, count]));
  const values = new Set([...(offeredBy(definition) ?? []).map(({ value }) => value), ...counts.keys()]);
  const textOf = textOfValue(definition);
  return Array.from(values, (value) => ({
    value,
    text: `${textOf(value)} (${formatCount(counts.get(value) ?? 0)})`,
  }));
}

/** The durations in use, the most frequent first; `undefined` while they load. */
export function useDurations(): readonly Used[] | undefined {
  const [{ data }] = useQuery({ query: DurationsDocument });
  return data?.catalogStats.programsByDuration.map(({ duration, count }) => ({ value: duration, count }));
}

/** The names of attributes in use by records of a kind, or by any. */
export function useAttributeNames(kind?: RecordKind): readonly Used[] | undefined {
  const { canRead } = useRights();
  const [{ data }] = useQuery({ query: AttributeKeysDocument, pause: !canRead });
  return data?.catalogStats.attributeKeys
    .map(({ key, programs, branches }) => {
      const counts = { PROGRAM: programs, BRANCH: branches };
      return { value: key, count: kind === undefined ? programs + branches : counts[kind] };
    })
    .filter(({ count }) => count > 0);
}

/** The values of an attribute of records of a kind, the most frequent first; none are read for an empty name. */
export function useAttributeValues(kind: RecordKind, name: string): readonly Used[] | undefined {
  const { canRead } = useRights();
  const variables = { key: name, ofPrograms: kind === 'PROGRAM' };
  const [{ data }] = useQuery({ query: AttributeValuesDocument, variables, pause: !canRead || name === '' });
  const { programsByAttribute, branchesByAttribute } = data?.catalogStats ?? {};
  return programsByAttribute ?? branchesByAttribute;
}
