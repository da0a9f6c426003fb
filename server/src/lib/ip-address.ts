import ipaddr from 'ipaddr.js';
import { remember } from './memory.ts';

/** How many results are kept, because each message needs the client of its address several times. */
const addressesMax = 10_000;

/** Returns the client of an address. Anyone with an IPv6 address has all 2^64 addresses of its network, so the network is the client. */
export const clientOf = remember(addressesMax, (remoteAddress): string => {
  if (!ipaddr.isValid(remoteAddress)) return remoteAddress;
  const address = ipaddr.process(remoteAddress);
  if (address.kind() === 'ipv4') return address.toString();
  return `${address.toByteArray().slice(0, 8).join('.')}/64`;
});

/** Returns whether a client is on this machine: at an address of the loopback interface, or one of IPv4 that is mapped into IPv6. */
export const isLoopback = remember(
  addressesMax,
  (remoteAddress): boolean =>
    ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback',
);

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
