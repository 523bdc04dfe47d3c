export type Json = string | number | boolean | null | { readonly [key: string]: Json };

/**
 * Writes JSON as RFC 8785 does: keys in the order of their UTF-16 code units, no spaces. Numbers are whole ones, for
 * which JavaScript's form is that of the RFC; its form of texts always is.
 */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
}
