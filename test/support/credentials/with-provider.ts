import type { TestDatabase } from '../database.ts';
import { freePort } from '../process.ts';
import { startTestServer } from '../server.ts';
import { settingsFor, startIdentityProvider } from './identity-provider.ts';

/** Starts a service and the identity provider at which its users sign in; both end by `close`. */
export async function startWithProvider(database: TestDatabase, settings: Readonly<Record<string, string>> = {}) {
  const url = `http://127.0.0.1:${await freePort()}`;
  const provider = await startIdentityProvider(url);
  const server = await startTestServer({ ...settingsFor(url, provider.issuer), ...settings }, database);
  const close = async (): Promise<void> => {
    await server.close();
    await provider.close();
  };
  return { url, provider, server, close };
}
