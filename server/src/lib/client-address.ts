import ipaddr from 'ipaddr.js';
import { remember } from './remember.ts';

/** Each message asks several times for the address of its client. */
const addressesMax = 10_000;

/** The client that an address stands for: whoever has an IPv6 address has the 2^64 addresses of its network. */
export const clientOf = remember(addressesMax, (remoteAddress): string => {
  if (!ipaddr.isValid(remoteAddress)) return remoteAddress;
  const address = ipaddr.process(remoteAddress);
  if (address.kind() === 'ipv4') return address.toString();
  return `${address.toByteArray().slice(0, 8).join('.')}/64`;
});

/** Whether a client is on this machine. */
export const isLoopback = remember(
  addressesMax,
  (remoteAddress): boolean =>
    ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback',
);
