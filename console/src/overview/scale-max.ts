/** So many times the next largest is too much for one scale. */
const hugeFactor = 5;

/** The value at the end of a scale: one huge value, which would leave nothing to see of the others, lies beyond it. */
export function scaleMax(counts: readonly number[]): number {
  const [first = 1, second = 0] = counts.toSorted((one, other) => other - one);
  return Math.max(1, second > 0 && first > hugeFactor * second ? second * 1.5 : first);
}
