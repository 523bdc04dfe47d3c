const words: Readonly<Record<string, string>> = {
  CREATE: 'created',
  UPDATE: 'changed',
  DELETE: 'deleted',
  RESTORE: 'restored',
  REVOKE: 'revoked',
  ROTATE: 'rotated',
  IMPORT: 'imported',
};

/** What was done to a record, as its history says it: `created by ada`. */
export const actionInWords = (action: string | null): string => words[action ?? ''] ?? 'changed';
