import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import {
  type AskedType,
  type DnsReply,
  isAskableName,
  NoReply,
  readReply,
  writeQuery,
} from './dns-message.ts';
import { type Endpoint, exchangeByTcp, unreachable } from './exchange-by-tcp.ts';

/** What one question may still use, so that no chain of servers holds it for long. */
export interface Budget {
  /** By `performance.now()`. */
  endsAt: number;
  packetsLeft: number;
  /** How long one server may take to reply, in ms. */
  tryMs: number;
}

/** One question to one server. */
export interface Query {
  name: string;
  type: AskedType;
  isRecursive: boolean;
}

const formError = 1;
const notImplemented = 4;

/** Returns whether a question may send nothing more. */
export function isSpent(budget: Budget): boolean {
  return budget.packetsLeft <= 0 || performance.now() >= budget.endsAt;
}

/**
 * Asks one server by UDP, and by TCP if the reply does not fit. Only a reply from the server's own address and port counts, with the random
 * id of the query and its question.
 *
 * @throws NoReply if there is no reply in time, or none that can be read.
 */
export async function sendQuery(server: Endpoint, query: Query, budget: Budget): Promise<DnsReply> {
  let hasOptions = true;
  let reply = await ask(byUdp, server, query, hasOptions, budget);
  if (reply.code === formError || reply.code === notImplemented) {
    hasOptions = false;
    reply = await ask(byUdp, server, query, hasOptions, budget);
  }
  return reply.isTruncated ? ask(byTcp, server, query, hasOptions, budget) : reply;
}

type Exchange = (server: Endpoint, bytes: Buffer, signal: AbortSignal) => Promise<DnsReply>;

async function ask(
  exchange: Exchange,
  server: Endpoint,
  query: Query,
  hasOptions: boolean,
  budget: Budget,
): Promise<DnsReply> {
  // Names of servers and aliases come from strangers.
  if (query.name !== '' && !isAskableName(query.name)) throw new NoReply('was not asked for an invalid name');
  if (isSpent(budget)) throw new NoReply('was not asked, because the question had taken too long already');
  budget.packetsLeft -= 1;
  const waitMs = Math.max(1, Math.ceil(Math.min(budget.tryMs, budget.endsAt - performance.now())));
  const bytes = writeQuery(randomInt(0x1_0000), query, { isRecursive: query.isRecursive, hasOptions });
  return exchange(server, bytes, AbortSignal.timeout(waitMs));
}

function byUdp({ address, port }: Endpoint, bytes: Buffer, signal: AbortSignal): Promise<DnsReply> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const { promise, resolve, reject } = Promise.withResolvers<DnsReply>();
  socket.on('error', (error) => reject(unreachable(error)));
  socket.on('message', (received) => {
    try {
      const reply = readReply(received, bytes);
      if (reply) resolve(reply);
    } catch (error) {
      reject(error);
    }
  });
  signal.addEventListener('abort', () => reject(new NoReply('did not reply')), { once: true });
  // A connected socket takes nothing from other addresses and ports, and learns that nobody listens there.
  socket.on('connect', () => socket.send(bytes));
  socket.connect(port, address);
  return promise.finally(() => socket.close());
}

async function byTcp(server: Endpoint, bytes: Buffer, signal: AbortSignal): Promise<DnsReply> {
  const reply = readReply(await exchangeByTcp(server, bytes, signal), bytes);
  if (reply === null) throw new NoReply('replied to something else');
  return reply;
}
