/**
 * Control characters except tabs and line feeds, line separators, and bidirectional overrides, which can disguise text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matching them is its purpose.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes control characters for a terminal, as JSON does, so that JSON keeps its meaning. */
export function escapeControls(text: string): string {
  return text.replace(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export type Mask = (text: string) => string;

interface CredentialHeaders {
  readonly 'x-api-key'?: string | readonly string[] | undefined;
  readonly authorization?: string | undefined;
}

/** What is shorter is no key: a text may have a part that somebody has sent in place of one. */
const credentialMin = 24;

/** As `mask`, and masks the credentials that the request itself has in its headers, whatever their form. */
export function maskForRequest(mask: Mask, headers: CredentialHeaders): Mask {
  return (text) => {
    let rest = text;
    for (const header of [headers['x-api-key'], headers.authorization]) {
      // What follows the scheme, if there is one.
      const credential =
        String(header ?? '')
          .trim()
          .split(/\s+/)
          .at(-1) ?? '';
      if (credential.length < credentialMin) continue;
      // A name of an operation may be a part of it, and a path has it encoded.
      if (text.length >= credentialMin && credential.includes(text)) return masked;
      rest = rest.replaceAll(credential, masked).replaceAll(encodeURIComponent(credential), masked);
    }
    return mask(rest);
  };
}

/** Masks, for the log, JSON Web Tokens and keys with this prefix, which a client may have put in the wrong place. */
export function createCredentialMask(keyPrefix: string): Mask {
  const keys = new RegExp(`${keyPrefix}[0-9A-Za-z]{12,}`, 'g');
  return (text) => text.replace(dotted, withoutTokens).replace(keys, masked);
}

const masked = '[credential]';
const dotted = /[\w.-]+/g;
const tokenStart = 'eyJ';

/** Masks tokens by their parts: a pattern of a whole token would be tried from each of its beginnings to its end. */
function withoutTokens(text: string): string {
  const parts = text.split('.');
  const rest: string[] = [];
  for (let at = 0; at < parts.length; ) {
    const part = parts[at] ?? '';
    const start = at + 2 < parts.length && parts[at + 1] !== '' ? part.indexOf(tokenStart) : -1;
    const isToken = start !== -1 && part.length > start + tokenStart.length;
    rest.push(isToken ? part.slice(0, start) + masked : part);
    at += isToken ? 3 : 1;
  }
  return rest.join('.');
}
