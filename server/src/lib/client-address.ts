import ipaddr from 'ipaddr.js';

/** The client that an address stands for: whoever has an IPv6 address has the 2^64 addresses of its network. */
export function clientOf(remoteAddress: string): string {
  if (!ipaddr.isValid(remoteAddress)) return remoteAddress;
  const address = ipaddr.process(remoteAddress);
  if (address.kind() === 'ipv4') return address.toString();
  return `${address.toByteArray().slice(0, 8).join('.')}/64`;
}

/** Whether a client is on this machine. */
export function isLoopback(remoteAddress: string): boolean {
  return ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback';
}
