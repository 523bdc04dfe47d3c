const parameter = 'sslmode';
/** `pg` verifies the certificate and the name of the server with each of them. */
const asVerifyFull: readonly (string | null)[] = ['prefer', 'require', 'verify-ca'];

/** Says what `pg` does: for other names of it, it prints a warning. `uselibpqcompat` chooses libpq's weaker meanings. */
export function withExplicitTls(address: string): string {
  const url = new URL(address);
  const { searchParams } = url;
  if (searchParams.get('uselibpqcompat') === 'true' || !asVerifyFull.includes(searchParams.get(parameter)))
    return address;
  searchParams.set(parameter, 'verify-full');
  return url.href;
}
