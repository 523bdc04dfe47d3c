interface Part {
  readonly text: string;
  readonly isChanged: boolean;
}

/** Beyond it, two texts are not compared word by word. */
const wordsMax = 200;

/** Two texts in parts, those marked that are not in the other: none if the texts have no word in common. */
export function changedWords(from: string, to: string): { readonly from: readonly Part[]; readonly to: readonly Part[] } {
  const [one, other] = [splitWords(from), splitWords(to)];
  const whole = { from: [{ text: from, isChanged: false }], to: [{ text: to, isChanged: false }] };
  if (Math.max(one.length, other.length) > wordsMax) return whole;
  const common = commonWords(one, other);
  if (!common.some(([index]) => /\w/.test(one[index] ?? ''))) return whole;
  const inFrom = new Set(common.map(([index]) => index));
  const inTo = new Set(common.map(([, index]) => index));
  return {
    from: one.map((text, index) => ({ text, isChanged: !inFrom.has(index) })),
    to: other.map((text, index) => ({ text, isChanged: !inTo.has(index) })),
  };
}

/** Words, and what is between them. */
const splitWords = (text: string): string[] => text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu) ?? [];

/** The longest common subsequence, as pairs of indices. */
function commonWords(one: readonly string[], other: readonly string[]): [number, number][] {
  const lengths = Array.from({ length: one.length + 1 }, () => new Array<number>(other.length + 1).fill(0));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = one.length - 1; i >= 0; i -= 1) {
    const row = lengths[i] ?? [];
    for (let j = other.length - 1; j >= 0; j -= 1) {
      row[j] = one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    if (one[i] === other[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}
