import * as client from 'openid-client';
import { SignInError } from '../sign-in-error.ts';
import { isInvalidClient } from './provider-errors.ts';

const methods = {
  client_secret_basic: client.ClientSecretBasic,
  client_secret_post: client.ClientSecretPost,
} as const;
type Method = keyof typeof methods;
const isMethod = (name: string): name is Method => Object.hasOwn(methods, name);

/** The methods that a provider names, in the order above; Basic where it names none (OpenID Connect Discovery, 3). */
function methodsOf({ token_endpoint_auth_methods_supported: named = ['client_secret_basic'] }: client.ServerMetadata) {
  const usable = Object.keys(methods).filter((name): name is Method => isMethod(name) && named.includes(name));
  if (usable.length > 0) return usable;
  throw new SignInError('misconfigured', `the provider accepts no client secret, only ${named.join(', ')}`);
}

interface ClientAuthentication {
  readonly authenticate: client.ClientAuth;
  /** @throws SignInError when the provider accepts no method that there is here. */
  check(provider: client.ServerMetadata): void;
  /** Asks the provider; again with the next method when it rejects one, since a client is registered for one of those that it names. */
  withEach<Result>(provider: client.ServerMetadata, ask: () => Promise<Result>): Promise<Result>;
}

/** Authenticates the service at a provider. Without a secret it is a public client, and does not. */
export function createClientAuthentication(secret: string | undefined): ClientAuthentication {
  if (secret === undefined) {
    return { authenticate: client.None(), check: () => undefined, withEach: (_provider, ask) => ask() };
  }
  let rejected = 0;
  return {
    authenticate: (provider, ...request) => {
      const usable = methodsOf(provider);
      const method = usable[rejected % usable.length] ?? 'client_secret_basic';
      methods[method](secret)(provider, ...request);
    },
    check: methodsOf,
    withEach: async (provider, ask) => {
      for (let left = methodsOf(provider).length; ; left -= 1) {
        const before = rejected;
        try {
          return await ask();
        } catch (problem) {
          if (left === 1 || !isInvalidClient(problem)) throw problem;
          // Counted once for two that ask at the same time.
          if (rejected === before) rejected += 1;
        }
      }
    },
  };
}
