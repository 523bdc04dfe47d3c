/** What stands in the strip of messages. */
interface Standing {
  readonly key: string;
}

/** The places after messages have come and gone, the oldest first: none is given to another message, and new ones follow. */
export function placesAfter(places: readonly string[], shown: readonly Standing[]): readonly string[] {
  const added = shown.filter(({ key }) => !places.includes(key));
  return added.length === 0 ? places : [...places, ...added.map(({ key }) => key)];
}

/** The places that are still taken. */
export const takenPlaces = (places: readonly string[], shown: readonly Standing[]): readonly string[] =>
  places.filter((place) => shown.some(({ key }) => key === place));
