import { Client, fetchExchange } from '@urql/core';
import { describeError } from '../api/errors.ts';
import { fetchWithKey } from '../api/fetch-with-key.ts';
import { ViewerDocument } from './documents.generated.ts';

/** Returns `null` if the service accepts the key, otherwise the reason. */
export async function checkKey(key: string): Promise<string | null> {
  if (!/^[\x21-\x7e]+$/.test(key)) return 'A key or token has no spaces and no letters with accents. Copy it again.';
  const client = new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetch: fetchWithKey(key),
    exchanges: [fetchExchange],
  });
  const { data, error } = await client.query(ViewerDocument, {});
  if (error !== undefined) return describeError(error);
  if (data?.viewer.role === null && data.viewer.permissions.length === 0) return inactive;
  return null;
}

const inactive =
  'The key is valid, but no active user stands behind it. An administrator can enable the user or issue another key.';
