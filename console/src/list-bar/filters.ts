import type { RecordKind } from '../api/event-stream.ts';
import type { Option } from '../components/fields.tsx';
import type { Definition } from '../fields/definitions.ts';
import { formatChoice, formatDate } from '../format/text.ts';
import { t } from '../language/language.ts';
import type { ListFilter, Search } from '../lists/list-filter.ts';
import { type ListSearch, newAttribute } from '../lists/search.ts';
import { idsIn } from '../search-parameters.ts';
import { attributeEditors } from './conditions/attribute-editor.tsx';
import { attributeFilter, type ComparedField, comparing } from './conditions/compared-fields.ts';
import { ChoiceEditor, DayEditor } from './conditions/value-editors.tsx';

/** A filter whose value is the parameter with its id. */
export const filterBy = (
  search: Search,
  { id, ...parts }: Pick<ListFilter, 'id' | 'name'> & Partial<ListFilter>,
): ListFilter => ({
  id,
  value: search[id] === undefined ? undefined : String(search[id]),
  put: (value) => ({ [id]: value }),
  useOptions: () => undefined,
  ...parts,
});

/** A filter by one of several values. */
export function choiceFilter(id: string, name: string, options: readonly Option<string>[] | ListFilter['useOptions']) {
  const isKnown = typeof options !== 'function';
  const useOptions = isKnown ? () => options : options;
  const textOf = (chosen: unknown) => (isKnown ? options.find(({ value }) => value === chosen)?.text : undefined);
  return (search: Search) => filterBy(search, { id, name, text: textOf(search[id]), useOptions, Editor: ChoiceEditor });
}

export const dayFilter = (id: string, name: string) => (search: Search) => {
  const day = search[id];
  const text = typeof day === 'string' ? formatDate(day) : undefined;
  return filterBy(search, { id, name, text, Editor: DayEditor });
};

export const conditionFilter = (field: ComparedField) => (search: Search) =>
  comparing(field, search[field.id], (given) => ({ [field.id]: given }));

/** A filter without a choice. */
export const fixedFilter = (id: string, name: string) => (search: Search) =>
  filterBy(search, { id, name, sentence: name, on: true });

/** Entries of one change, which links alone choose. */
export const changeFilter = (search: Search) =>
  filterBy(search, { id: 'change', name: t('listBar.only'), text: t('audit.oneChange') });

/** A filter by one more attribute, and each that is chosen. */
const attributeFilters = (
  kind: RecordKind,
  search: ListSearch,
  definitions: readonly Definition[],
): readonly ListFilter[] => [
  filterBy({}, { id: newAttribute, name: t('field.attribute'), Editor: attributeEditors[kind] }),
  ...Object.keys(search.attributes ?? {}).map((key) =>
    attributeFilter(
      kind,
      search,
      key,
      definitions.find((one) => one.key === key),
    ),
  ),
];

/** The records that somebody has selected. */
function idsFilter(kind: RecordKind, search: ListSearch): ListFilter {
  const text = search.ids && t('listBar.selected', { kind, count: idsIn(search.ids).length });
  return filterBy(search, { id: 'ids', name: t('listBar.only'), text });
}

/** The filters of a list of records: its own, and those of both lists. */
export function recordFilters(kind: RecordKind, own: readonly ((search: Search) => ListFilter)[]) {
  const incomplete = fixedFilter('problem', t('listBar.incomplete'));
  const fields = [
    ...own,
    conditionFilter({ id: 'code', name: t('field.code'), modes: ['is', 'isNot', 'isEmpty', 'isFilled'] }),
    conditionFilter({ id: 'changed', name: t('field.changed'), modes: ['range'], range: 'days' }),
    conditionFilter({ id: 'created', name: t('field.created'), modes: ['range'], range: 'days' }),
  ];
  // The attributes in use are statistics of the catalog, which guests may not read.
  return (search: ListSearch, definitions: readonly Definition[], canRead = true): readonly ListFilter[] => [
    ...fields.map((filter) => filter(search)),
    ...(canRead ? attributeFilters(kind, search, definitions) : []),
    ...(definitions.length > 0 || search.problem ? [incomplete(search)] : []),
    idsFilter(kind, search),
  ];
}

/** What the chip of a filter says. */
export const sentenceOf = ({
  name,
  value,
  text = value,
  sentence = name + t('common.colon') + text,
}: ListFilter): string => sentence;

/** `“physics”, Duration is 4 Years, Changed since 5 Nov 2026`; with `or` between conditions of which any may match. */
export function describeFilters(filters: readonly ListFilter[], { q, match }: Search): string {
  const chosen = filters.filter(({ value }) => value !== undefined);
  const compared = chosen.filter(({ condition }) => condition !== undefined).map(sentenceOf);
  const others = chosen.filter(({ condition }) => condition === undefined).map(sentenceOf);
  const conditions = match === 'any' ? [formatChoice(compared)] : compared;
  return [q === undefined ? '' : `“${q}”`, ...conditions, ...others].filter((part) => part !== '').join(', ');
}
