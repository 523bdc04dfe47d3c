const bearer = /^bearer(?:\s+(.*))?$/i;

/** `x-api-key`, bare or after `Bearer`, else `Authorization: Bearer` (`docs/contract.md` 3); blank counts as none. */
export function credentialOf(apiKeyHeader: string | undefined, authorization: string | undefined): string | undefined {
  const apiKey = apiKeyHeader?.trim() ?? '';
  const afterScheme = bearer.exec(apiKey === '' ? (authorization?.trim() ?? '') : apiKey);
  if (afterScheme !== null) return afterScheme[1];
  return apiKey === '' ? undefined : apiKey;
}
