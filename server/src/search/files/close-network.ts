import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';

/**
 * Permanently removes network access from the code of this thread. The permissions of Node 24 do not cover it. A file that makes the reader
 * run other JavaScript then cannot reach any server; one that breaks V8 itself can.
 */
export function closeNetwork(): void {
  const refuse = () => {
    throw new Error('There is no network here.');
  };
  close(net.Socket.prototype, ['connect'], refuse);
  close(net.Server.prototype, ['listen'], refuse);
  close(dgram.Socket.prototype, ['bind', 'connect', 'send', 'sendto'], refuse);
  for (const target of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
    close(target, namesIn(target), refuse);
}

function namesIn(target: object): string[] {
  return Object.keys(target).filter((name) => /^(lookup|resolve|reverse|query)/.test(name));
}

function close(target: object, names: string[], refuse: () => never): void {
  for (const name of names) Object.defineProperty(target, name, { value: refuse });
}
