import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import type { RecordKind } from '../api/event-stream.ts';
import type { Option } from '../components/fields.tsx';
import { formatDate } from '../format/text.ts';
import { t } from '../language/language.ts';
import { isDay } from '../search-parameters.ts';
import { useRights } from '../session/viewer.tsx';
import { AttributeDefinitionsDocument, type DefinitionFieldsFragment } from './documents.generated.ts';

export type Definition = DefinitionFieldsFragment;

const none: readonly Definition[] = [];

/** The definitions of attributes in their order: of records of a kind, or all. None while they load. */
export function useDefinitions(kind?: RecordKind): readonly Definition[] {
  const { canRead } = useRights();
  const [{ data }] = useQuery({ query: AttributeDefinitionsDocument, pause: !canRead, requestPolicy: 'cache-first' });
  // While they cannot be read, they are as they were: values would have other names and fields.
  const [known, setKnown] = useState(data);
  if (data !== undefined && data !== known) setKnown(data);
  const all = (data ?? known)?.attributeDefinitions ?? none;
  const versions = all.map(({ id, version, position }) => `${id} ${version} ${position}`).join();
  // Every mutation refetches them: the columns of a list change with a definition alone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the versions say what is in them.
  return useMemo(() => all.filter(isOf(kind)), [versions, kind]);
}

/** Reads the definitions again for all who use them: no event says that others have changed them. */
export function useNewestDefinitions(): void {
  const { canRead } = useRights();
  useQuery({ query: AttributeDefinitionsDocument, pause: !canRead, requestPolicy: 'cache-and-network' });
}

const yesAndNo: readonly Option<string>[] = [
  { value: 'true', text: t('history.yes') },
  { value: 'false', text: t('history.no') },
];

const isOf =
  (kind: RecordKind | undefined) =>
  ({ ofPrograms, ofBranches }: Definition): boolean =>
    kind === undefined || (kind === 'PROGRAM' ? ofPrograms : ofBranches);

/** Reads values as people do: the label of a choice, yes or no, a day. Others stay as they are. */
export function textOfValue({ kind, choices }: Definition): (value: string) => string {
  if (kind === 'DATE') return (value) => (isDay(value) ? formatDate(value) : value);
  if (kind === 'YES_NO') return (value) => yesAndNo.find((option) => option.value === value)?.text ?? value;
  if (kind !== 'CHOICE') return (value) => value;
  const labels = new Map(choices.map(({ value, label }) => [value, label]));
  return (value) => labels.get(value) ?? value;
}

/** The values that a change may set; `undefined` if they are no list. */
export function offeredBy({ kind, choices }: Definition): readonly Option<string>[] | undefined {
  if (kind === 'YES_NO') return yesAndNo;
  if (kind !== 'CHOICE') return undefined;
  return choices.filter(({ retired }) => !retired).map(({ value, label }) => ({ value, text: label }));
}

/** The options of a picker, of which the present value is one, whatever it is; `undefined` for a field of text. */
export function optionsOf(definition: Definition): (value: string) => readonly Option<string>[] | undefined {
  const offered = offeredBy(definition);
  if (offered === undefined) return () => undefined;
  const textOf = textOfValue(definition);
  return (value) => {
    const isOffered = value === '' || offered.some((option) => option.value === value);
    const isRetired = definition.choices.some((choice) => choice.retired && choice.value === value);
    const own = { value, text: isRetired ? t('fields.notOffered', { value: textOf(value) }) : textOf(value) };
    return [{ value: '', text: t('fields.noValue') }, ...(isOffered ? [] : [own]), ...offered];
  };
}

/**
 * The keys that a touch screen offers for a value. It stays a text, whose every letter the service gets: a field of the
 * browser for numbers is empty while its text is none.
 */
export function keysFor({ kind }: Pick<Definition, 'kind'>) {
  if (kind === 'WHOLE_NUMBER') return { inputMode: 'numeric' } as const;
  if (kind === 'DECIMAL') return { inputMode: 'decimal' } as const;
  return kind === 'ADDRESS' ? ({ inputMode: 'url' } as const) : {};
}

/** The field of a form that takes a value: of a day, the browser's own; one that is no day is shown as a text. */
export const inputFor = ({ kind }: Pick<Definition, 'kind'>, value: string) =>
  kind === 'DATE' && /^(\d{4}-\d\d-\d\d)?$/.test(value) ? ({ type: 'date' } as const) : keysFor({ kind });

/** The address that a value links to: those of the web alone, whatever else a record may have. */
export function linkOf({ kind }: Pick<Definition, 'kind'>, value: string): string | undefined {
  if (kind !== 'ADDRESS' || !URL.canParse(value)) return undefined;
  const { protocol, href } = new URL(value);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}
