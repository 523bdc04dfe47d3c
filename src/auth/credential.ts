const bearer = /^bearer(?:\s+(.*))?$/i;

/**
 * Finds the credential of a request (`contract.md` 3): `x-api-key`, bare or after `Bearer`, else
 * `Authorization: Bearer`. A blank header counts as absent, and so does any other `Authorization` scheme.
 *
 * @returns the API key or token, or `undefined` when the request has none.
 */
export function credentialOf(apiKeyHeader: string | undefined, authorization: string | undefined): string | undefined {
  const header = apiKeyHeader?.trim() ?? '';
  if (header !== '') return blankAsAbsent(bearer.exec(header)?.[1] ?? (bearer.test(header) ? '' : header));
  return blankAsAbsent(bearer.exec(authorization?.trim() ?? '')?.[1]);
}

function blankAsAbsent(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}
