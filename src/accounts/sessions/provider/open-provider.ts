import type { Database } from '../../../database/types.ts';
import type { Provider } from './identity-provider.ts';

type Settings = Readonly<Record<string, unknown>>;

const isWanted = (config: Settings): boolean =>
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'].some((name) => config[name] !== undefined);

/**
 * Opens the identity provider. Never fails: a wrong configuration is a warning, and then there is none. Without one, no
 * library is loaded.
 */
export function openProvider(
  config: Settings,
  db: Database,
  warn: (message: string) => void,
): Promise<Provider | undefined> {
  return openWith(config, () => readSignInSecret(db), warn);
}

async function openWith(
  config: Settings,
  readSecret: () => Promise<string>,
  warn: (message: string) => void,
): Promise<Provider | undefined> {
  if (!isWanted(config)) return undefined;
  const { createProvider, providerSettings } = await import('./identity-provider.ts');
  const { success, data, error } = providerSettings.safeParse(config);
  if (success) return createProvider(data, readSecret, warn);
  const problems = error.issues.map(({ message }) => message).join('; ');
  warn(`Nobody can sign in with the university's account: ${problems}. API keys work.`);
  return undefined;
}

/** Returns what is wrong with the configuration of the sign-in, or at its provider; `undefined` where there is none. */
export async function checkProvider(config: Settings): Promise<readonly string[] | undefined> {
  if (!isWanted(config)) return undefined;
  const problems: string[] = [];
  const noCookies = async (): Promise<string> => '';
  const provider = await openWith(config, noCookies, (message) => problems.push(message));
  await provider?.discovered();
  return problems;
}

/** Random, and the same for all instances. */
async function readSignInSecret(db: Database): Promise<string> {
  const [row] = await db.$queryRaw<{ value: string }[]>`SELECT value FROM sign_in_secret`;
  if (row === undefined) throw new Error('The database has lost the secret of sign-ins.');
  return row.value;
}
