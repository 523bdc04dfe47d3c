import { diffWordsWithSpace } from 'diff';

interface Part {
  readonly text: string;
  readonly isChanged: boolean;
}

/** Two texts in parts, those marked that are not in the other: none if the texts have no word in common. */
export function changedWords(from: string, to: string): { readonly from: Part[]; readonly to: Part[] } {
  const parts = diffWordsWithSpace(from, to);
  const hasCommon = parts.some(({ added, removed, value }) => !added && !removed && /[\p{L}\p{N}]/u.test(value));
  const partsOf = (isOther: 'added' | 'removed'): Part[] =>
    parts
      .filter((part) => !part[isOther])
      .map(({ value, added, removed }) => ({ text: value, isChanged: hasCommon && (added || removed) }));
  return { from: partsOf('added'), to: partsOf('removed') };
}
