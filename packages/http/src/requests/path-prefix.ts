/** Returns the path below which clients reach the service, without a slash at its end: empty for `https://host`. */
export function pathPrefixOf(address: string | undefined): string {
  return address === undefined ? '' : new URL(address).pathname.replace(/\/$/, '');
}

/** The target of a request without the prefix, which a proxy may have removed already. */
export function withoutPrefix(target: string, prefix: string): string {
  return prefix !== '' && target.startsWith(`${prefix}/`) ? target.slice(prefix.length) : target;
}

/** Whether a target is the prefix itself: relative addresses of a page there would lead elsewhere. */
export function isPrefix(target: string, prefix: string): boolean {
  return prefix !== '' && target.split('?')[0] === prefix;
}
