import type { IncomingMessage } from 'node:http';

const headerValue = /^[\t\x20-\x7e]*$/;
/** By these names, in any letter case, clients send their credential. */
const names: Readonly<Record<string, 'x-api-key' | 'authorization'>> = {
  'x-api-key': 'x-api-key',
  apikey: 'x-api-key',
  authorization: 'authorization',
};

/** The credential of `connectionParams`, else of the upgrade, where browsers cannot set it; and the address. */
export function credentialHeadersOf(connectionParams: unknown, { headers }: IncomingMessage): Record<string, string> {
  const sent = credentialsIn({ 'x-api-key': headers['x-api-key'], authorization: headers.authorization });
  const given = credentialsIn(connectionParams);
  const forwarded = headers['x-forwarded-for'];
  return {
    ...(Object.keys(given).length > 0 ? given : sent),
    ...(typeof forwarded === 'string' && { 'x-forwarded-for': forwarded }),
  };
}

function credentialsIn(parameters: unknown): Record<string, string> {
  const credentials: Record<string, string> = {};
  for (const [name, value] of Object.entries(Object(parameters))) {
    const header = names[name.toLowerCase()];
    if (header !== undefined && typeof value === 'string' && headerValue.test(value)) credentials[header] = value;
  }
  return credentials;
}
