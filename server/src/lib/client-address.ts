import ipaddr from 'ipaddr.js';
import { remember } from './remember.ts';

/** How many results are kept, because each message needs the client of its address several times. */
const addressesMax = 10_000;

/** Returns the client of an address. Anyone with an IPv6 address has all 2^64 addresses of its network, so the network is the client. */
export const clientOf = remember(addressesMax, (remoteAddress): string => {
  if (!ipaddr.isValid(remoteAddress)) return remoteAddress;
  const address = ipaddr.process(remoteAddress);
  if (address.kind() === 'ipv4') return address.toString();
  return `${address.toByteArray().slice(0, 8).join('.')}/64`;
});

/** Returns whether a client is on this machine. */
export const isLoopback = remember(
  addressesMax,
  (remoteAddress): boolean =>
    ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback',
);
