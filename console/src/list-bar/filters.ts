import type { Option } from '../components/fields.tsx';
import { formatDate } from '../format/text.ts';
import { t } from '../language/language.ts';
import { type ListSearch, newAttribute, withAttribute } from '../lists/search.ts';
import { idsIn } from '../search-parameters.ts';
import { attributeEditors } from './attribute-editor.tsx';
import type { ListFilter, Search } from './list-filter.ts';
import { ChoiceEditor, DayEditor, TextEditor } from './value-editors.tsx';

/** A filter whose value is the parameter with its id. */
const filterBy = (
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

export const withOrWithout: readonly Option<string>[] = [
  { value: 'with', text: t('listBar.some') },
  { value: 'without', text: t('listBar.none') },
];

export const textFilter = (id: string, name: string, hint?: string) => (search: Search) =>
  filterBy(search, { id, name, hint, Editor: TextEditor });

/** A filter without a choice; without `on`, links alone set it. */
export const fixedFilter = (id: string, name: string, text: string, on?: true) => (search: Search) =>
  filterBy(search, { id, name, text, on });

/** A filter by one more attribute, and each that is chosen. */
export function attributeFilters(kind: 'PROGRAM' | 'BRANCH') {
  const shared = { useOptions: () => undefined, Editor: attributeEditors[kind] };
  return (search: ListSearch): readonly ListFilter[] => [
    { id: newAttribute, name: t('field.attribute'), value: undefined, put: () => ({}), ...shared },
    ...Object.entries(search.attributes ?? {}).map(([key, value]) => ({
      id: newAttribute + key,
      name: key,
      value: value ?? '',
      text: value ?? t('listBar.noneChosen'),
      put: () => withAttribute(search, key, undefined),
      ...shared,
    })),
  ];
}

/** The records that somebody has selected. */
export const idsFilter = (kind: 'PROGRAM' | 'BRANCH') => (search: ListSearch) => {
  const text = search.ids && t('listBar.selected', { kind, count: idsIn(search.ids).length });
  return filterBy(search, { id: 'ids', name: t('listBar.only'), text });
};

/** `“physics”, Duration: 4 Years, Changed since: 5 Nov 2026`. */
export function describeFilters(filters: readonly ListFilter[], { q }: Search): string {
  const chosen = filters.filter(({ value }) => value !== undefined);
  const parts = chosen.map(({ name, value, text = value }) => `${name}: ${text}`);
  return (q === undefined ? parts : [`“${q}”`, ...parts]).join(', ');
}
