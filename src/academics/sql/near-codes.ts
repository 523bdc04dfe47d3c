// Codes that are nearly equal: they differ in case, width, dashes, apostrophes, or as `101` and `101.0`, which a table of
// numbers makes of it. In SQL, by the index of searches.

/** SQL: what nearly equal codes have in common. */
export const nearCodeKey = (code: string): string => `regexp_replace(search_fold(${code}), '^([0-9]+)[.,]00?$', '\\1')`;

/** SQL condition: the code of a record has this key. */
export const isNearCode = (code: string, key: string): string =>
  `search_fold(${code}) = ANY (CASE WHEN ${key} ~ '^[0-9]+$'
    THEN ARRAY[${key}, ${key} || '.0', ${key} || ',0', ${key} || '.00', ${key} || ',00'] ELSE ARRAY[${key}] END)`;
