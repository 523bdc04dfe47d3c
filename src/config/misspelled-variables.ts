/** Shorter names have too many neighbours among the variables of other programs: PORT and PATH, HOST and HOME. */
const shortestName = 8;
const distanceMax = 2;

/** Pairs of given and intended names, within a small edit distance of a variable that is unset. Reads names only. */
export function misspelledVariables(
  given: Iterable<string>,
  known: readonly string[],
): [given: string, meant: string][] {
  const names = new Set(given);
  const missing = known.filter((name) => name.length >= shortestName && !names.has(name));
  return Array.from(names)
    .filter((name) => !known.includes(name))
    .flatMap((name): [string, string][] => {
      const meant = missing.find((each) => editDistance(name.toUpperCase(), each) <= distanceMax);
      return meant === undefined ? [] : [[name, meant]];
    });
}

/** Damerau–Levenshtein distance (optimal string alignment); infinite beyond the maximum. */
function editDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > distanceMax) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      let distance = Math.min(
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
      );
      const exchanged = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (exchanged) distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
      current.push(distance);
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}
