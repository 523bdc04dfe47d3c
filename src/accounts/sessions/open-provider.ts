import type { Provider } from './identity-provider.ts';

/** Never fails: with a wrong configuration, which is a warning, there is no provider. Without one, no library is loaded. */
export async function openProvider(
  config: Readonly<Record<string, unknown>>,
  warn: (message: string) => void,
): Promise<Provider | undefined> {
  const isWanted = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'].some((name) => config[name] !== undefined);
  if (!isWanted) return undefined;
  const { createProvider, providerSettings } = await import('./identity-provider.ts');
  const { success, data, error } = providerSettings.safeParse(config);
  if (success) return createProvider(data, warn);
  const problems = error.issues.map(({ message }) => message).join('; ');
  warn(`Nobody can sign in with the university's account: ${problems}. API keys work.`);
  return undefined;
}
