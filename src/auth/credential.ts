const bearer = /^bearer(?:\s+(.*))?$/i;

/**
 * Finds the credential of a request (`docs/contract.md` 3): `x-api-key`, bare or after `Bearer`, else
 * `Authorization: Bearer`. A blank header counts as absent, and so does any other `Authorization` scheme.
 *
 * @returns the API key or token, or `undefined` when the request has none.
 */
export function credentialOf(apiKeyHeader: string | undefined, authorization: string | undefined): string | undefined {
  const apiKey = apiKeyHeader?.trim() ?? '';
  const afterScheme = bearer.exec(apiKey === '' ? (authorization?.trim() ?? '') : apiKey);
  if (afterScheme !== null) return afterScheme[1];
  return apiKey === '' ? undefined : apiKey;
}
