import type { Provider } from './provider.ts';

/** Signing in by the university's account. */
export interface SignIn {
  /** `undefined` when there is none, or its configuration is wrong. */
  readonly provider?: Provider;
  /** What is wrong, for the operator; API keys work anyway. */
  readonly problem?: string;
}

/** Never fails: a wrong configuration is a warning. Without one, the library is not loaded. */
export async function openSignIn(
  config: Readonly<Record<string, unknown>>,
  warn: (message: string) => void,
): Promise<SignIn> {
  const isWanted = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'].some((name) => config[name] !== undefined);
  if (!isWanted) return {};
  const { createProvider, providerSettings } = await import('./provider.ts');
  const { success, data, error } = providerSettings.safeParse(config);
  if (success) return { provider: createProvider(data, warn) };
  const problem = `Nobody can sign in with the university's account: ${error.issues.map(({ message }) => message).join('; ')}.`;
  warn(`${problem} API keys work.`);
  return { problem };
}
