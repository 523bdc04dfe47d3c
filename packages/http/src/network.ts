import ipaddr from 'ipaddr.js';

/** What cannot be read as an address; all of it counts together. */
const unreadable = 'unknown';
/** Some proxies put the port behind the address that they hand on. */
const withPort = /^\[([^\]]{1,64})\](?::\d{1,5})?$|^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/;
const charactersMax = 64;

/** A /64 of IPv6 addresses, which a household has, counts as one; an IPv4 address, however written, for itself. */
export function networkOf(address: string): string {
  if (address.length > charactersMax) return unreadable;
  const [, bracketed, bare] = withPort.exec(address) ?? [];
  const plain = bracketed ?? bare ?? address;
  if (!ipaddr.isValid(plain)) return unreadable;
  const parsed = ipaddr.process(plain);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  // A zone tells links apart that use the same addresses.
  return [network.join(':'), ...(parsed.zoneId === undefined ? [] : [parsed.zoneId])].join('%');
}
