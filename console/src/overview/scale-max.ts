/** So many times the next largest is too much for one scale. */
const hugeFactor = 5;
/** More of them are what the plot is about. */
const hugeMax = 3;

/** The value at the end of a scale: beyond it are a few huge ones, which would leave nothing to see of the others. */
export function scaleMax(counts: readonly number[]): number {
  const largest = [...counts].sort((one, other) => other - one).slice(0, hugeMax + 1);
  const others = largest.find(
    (count, index) => index > 0 && count > 0 && (largest[index - 1] ?? 0) > hugeFactor * count,
  );
  return others === undefined ? Math.max(1, ...counts) : others * 1.5;
}
