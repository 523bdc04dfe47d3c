import { providerAddress, useSession } from './session.ts';

/** The link to sign in with the account of the university, where there is one. */
export function ProviderLink() {
  const { hasProvider } = useSession();
  if (!hasProvider) return null;
  return (
    <a className="button primary" href={providerAddress()}>
      Sign in with your university account
    </a>
  );
}
