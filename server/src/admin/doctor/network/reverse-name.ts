import ipaddr from 'ipaddr.js';

/** Returns the labels of an address in reverse, as DNS looks them up: `4.3.2.1` for IPv4, and one for each digit of IPv6. */
export function reverseLabels(address: string): string {
  const parsed = ipaddr.parse(address);
  const labels =
    parsed instanceof ipaddr.IPv4
      ? parsed.octets.map(String)
      : parsed.toByteArray().flatMap((byte) => [...byte.toString(16).padStart(2, '0')]);
  return labels.reverse().join('.');
}

/** Returns the name that has the PTR record of an address (RFC 1035, section 3.5; RFC 3596, section 2.5). */
export function reverseNameOf(address: string): string {
  return `${reverseLabels(address)}.${address.includes(':') ? 'ip6' : 'in-addr'}.arpa`;
}
