import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { CompactEncrypt, compactDecrypt } from 'jose';

// Providers end their session by the ID token (`id_token_hint`), some only by that. The browser keeps it, encrypted: the
// service stores none.

/** Larger cookies make requests too large for some servers; the provider is then asked without the ID token. */
const lengthMax = 3_000;

/** The content of the cookie; empty for a token that is too large. */
export async function sealIdToken(idToken: string, key: Uint8Array): Promise<string> {
  const sealed = await new CompactEncrypt(deflateRawSync(idToken))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key);
  return sealed.length > lengthMax ? '' : sealed;
}

/** The ID token in a cookie; `undefined` for any other content. */
export async function openIdToken(content: string, key: Uint8Array): Promise<string | undefined> {
  const opened = await compactDecrypt(content, key).catch(() => undefined);
  return opened === undefined ? undefined : inflateRawSync(opened.plaintext).toString();
}
