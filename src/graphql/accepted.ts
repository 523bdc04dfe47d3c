/** The media types that a caller accepts, in the order that they are named. */
export function acceptedTypes(accept: string | null | undefined): readonly string[] {
  const types = (accept ?? '').split(',').map((type) => (type.split(';')[0] ?? '').trim().toLowerCase());
  return types.filter((type) => type !== '');
}

/** Whether a caller accepts one type and no other. */
export function isOnly(accepted: readonly string[], type: string): boolean {
  return accepted.length > 0 && accepted.every((candidate) => candidate === type);
}

/** The types that an answer of GraphQL may have. */
export const jsonTypes = ['application/json', 'application/graphql-response+json'];

/** Both types of JSON are the same bytes; a caller that names neither gets the one that everybody knows. */
export function jsonTypeAmong(accepted: readonly string[]): string {
  return accepted.find((type) => jsonTypes.includes(type)) ?? 'application/json';
}
