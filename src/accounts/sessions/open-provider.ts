import type { Database } from '../../database/types.ts';
import type { Provider } from './identity-provider.ts';

/**
 * Opens the identity provider. Never fails: a wrong configuration is a warning, and then there is none. Without one, no
 * library is loaded.
 */
export async function openProvider(
  config: Readonly<Record<string, unknown>>,
  db: Database,
  warn: (message: string) => void,
): Promise<Provider | undefined> {
  const isWanted = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'].some((name) => config[name] !== undefined);
  if (!isWanted) return undefined;
  const { createProvider, providerSettings } = await import('./identity-provider.ts');
  const { success, data, error } = providerSettings.safeParse(config);
  if (success) return createProvider(data, () => readSignInSecret(db), warn);
  const problems = error.issues.map(({ message }) => message).join('; ');
  warn(`Nobody can sign in with the university's account: ${problems}. API keys work.`);
  return undefined;
}

/** Random, and the same for all instances. */
async function readSignInSecret(db: Database): Promise<string> {
  const [row] = await db.$queryRaw<{ value: string }[]>`SELECT value FROM sign_in_secret`;
  if (row === undefined) throw new Error('The database has lost the secret of sign-ins.');
  return row.value;
}
