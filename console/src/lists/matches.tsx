import { useMemo } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import { Notice } from '../components/notices.tsx';
import { fold, hasWords, wordsOf } from '../format/words.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';

/**
 * Whether a list shows similar records because none has every word of the search.
 *
 * @param texts The searched text of each record.
 */
export const isSimilar = (search: string, texts: readonly string[]): boolean =>
  texts.length > 0 && !texts.some((text) => hasWords(text, search));

/** The parts of a text, alternately without and with a word of the search. */
export function partsOf(text: string, search: string): string[] {
  const folded = fold(text);
  const words = wordsOf(search).map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  // Only where folding keeps the length, each place in the folded text is one in the text.
  if (words.length === 0 || folded.length !== text.length) return [text];
  let at = 0;
  return folded.split(new RegExp(`(${words.join('|')})`)).map(({ length }) => {
    at += length;
    return text.slice(at - length, at);
  });
}

export function Marked({ text, search }: { readonly text: string; readonly search: string | undefined }) {
  if (search === undefined) return text;
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text stay where they are.
  return partsOf(text, search).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));
}

interface SimilarProps<Item> {
  readonly kind: RecordKind;
  readonly search: string;
  readonly items: readonly Item[];
  /** The searched text of a record. */
  readonly searched: (item: Item) => string;
}

/** Says that similar records are shown, if none has every word of the search. */
export function Similar<Item>({ kind, search, items, searched }: SimilarProps<Item>) {
  const areSimilar = useMemo(() => isSimilar(search, items.map(searched)), [search, items, searched]);
  if (!areSimilar) return null;
  return <Notice role="status">{t.rich('lists.similar', { kind, search, bdi })}</Notice>;
}
