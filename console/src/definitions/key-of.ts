const keyMax = 40;

/** The key of an attribute with a label: its Latin letters without accents, and digits; empty if it has none. */
export const keyOf = (label: string): string =>
  label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, keyMax)
    .replace(/^_|_$/g, '');
