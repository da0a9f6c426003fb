import ipaddr from 'ipaddr.js';

/**
 * Returns whether an IP address is publicly reachable: not one of this machine, of a private network, or of a range with a special purpose.
 * An IPv6 address that represents an IPv4 address (mapped, NAT64, 6to4, Teredo) counts as that one.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast';
  const embedded = embeddedIPv4(address);
  if (embedded) return embedded.range() === 'unicast';
  // For ipaddr.js, unassigned addresses are unicast, too, and so are the IPv4 addresses of `::/96`.
  return address.range() === 'unicast' && address.match(globalUnicast);
}

/** Returns whether an IP address is of the loopback interface, including one of IPv4 that is mapped into IPv6. */
export function isLoopbackAddress(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback';
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const wellKnownNat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const bytes = address.toByteArray();
  const range = address.range();
  if (address.match(wellKnownNat64) || range === 'rfc6145') return new ipaddr.IPv4(bytes.slice(12));
  if (range === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6));
  // Teredo writes the client's address with every bit inverted (RFC 4380, section 4).
  if (range === 'teredo') return new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff));
  return null;
}
