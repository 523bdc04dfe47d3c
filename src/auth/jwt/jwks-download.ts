import type { JSONWebKeySet } from 'jose';
import { z } from 'zod';

/** Real key sets hold a few kilobytes; more must not fill the memory of the process. */
const answerBytesMax = 262_144;

/** Why a key set could not be used, in words that an operator may read. */
class KeySetProblem extends Error {
  override readonly name = 'KeySetProblem';
}

const usage = {
  kid: z.string().exactOptional(),
  alg: z.string().exactOptional(),
  use: z.literal('sig').exactOptional(),
  key_ops: z.array(z.string()).exactOptional(),
  // A private key that is on show proves nothing any more.
  d: z.never().exactOptional(),
};

/** The public keys that RS256, ES256 and EdDSA need. */
const publicKey = z.discriminatedUnion('kty', [
  z.object({ ...usage, kty: z.literal('RSA'), n: z.string(), e: z.string() }),
  z.object({ ...usage, kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() }),
  z.object({ ...usage, kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() }),
]);

const jwks = z.object({ keys: z.array(z.unknown()) });

/**
 * Downloads a JSON Web Key Set, in place of jose's `fetch`. Keys of other kinds, symmetric and private ones too, are left
 * out, as RFC 7517, 5 asks.
 *
 * @param signal ends the download, whose time is otherwise the host's to choose.
 * @returns an answer that holds nothing but a key set.
 * @throws whatever went wrong, or the signal's reason; `reasonOf` puts it into words.
 */
export async function downloadJwks(url: string, signal: AbortSignal): Promise<Response> {
  const rest = new AbortController();
  try {
    const either = AbortSignal.any([signal, rest.signal]);
    // A redirect is refused: whoever can redirect could else choose the keys.
    const answer = await fetch(url, { signal: either, redirect: 'manual', headers: { accept: 'application/json' } });
    if (answer.status !== 200) throw new KeySetProblem(`the host answered ${answer.status}`);
    return Response.json(parseKeySet(await readText(answer)));
  } catch (problem) {
    signal.throwIfAborted();
    throw problem;
  } finally {
    // Frees the connection of an answer that was not read to its end.
    rest.abort();
  }
}

async function readText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.byteLength;
    if (size > answerBytesMax) throw new KeySetProblem(`the answer is larger than ${answerBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseKeySet(text: string): JSONWebKeySet {
  const parsed = jwks.safeParse(parseJson(text));
  if (!parsed.success) throw new KeySetProblem('the answer is not a JSON Web Key Set');
  return {
    keys: parsed.data.keys.flatMap((candidate) => {
      const key = publicKey.safeParse(candidate);
      return key.success ? [key.data] : [];
    }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KeySetProblem('the answer is not JSON');
  }
}

const failed = z.object({ cause: z.object({ code: z.string() }) });

/** Why a download failed, in words of our own: a library's message may repeat the address with what is secret in it. */
export function reasonOf(error: unknown): string {
  if (error instanceof KeySetProblem) return error.message;
  const known = failed.safeParse(error);
  return known.success ? known.data.cause.code : 'the request failed';
}
