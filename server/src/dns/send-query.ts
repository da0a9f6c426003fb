import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import {
  type AskedType,
  type DnsReply,
  isAskableName,
  NoReply,
  readReply,
  writeQuery,
} from './dns-message.ts';

/** The remaining budget of one question, so that no chain of servers occupies it for long. */
export interface Budget {
  /** By `performance.now()`. */
  endsAt: number;
  packetsLeft: number;
  /** The time limit for the reply of one server, in ms. */
  tryMs: number;
}

/** One question to one server. */
interface Query {
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
  // A connected socket accepts nothing from other addresses and ports, and learns that nobody is listening there.
  socket.on('connect', () => socket.send(bytes));
  socket.connect(port, address);
  return promise.finally(() => socket.close());
}

async function byTcp(server: Endpoint, bytes: Buffer, signal: AbortSignal): Promise<DnsReply> {
  const reply = readReply(await exchangeByTcp(server, bytes, signal), bytes);
  if (reply === null) throw new NoReply('replied to something else');
  return reply;
}

/** The address on which a server listens. */
export interface Endpoint {
  /** An IP address, or for TCP also a host. */
  address: string;
  port: number;
}

/**
 * Sends a message by TCP and returns the first message that comes back, without its length (RFC 1035, section 4.2.2).
 *
 * @throws NoReply if no reply arrives before `signal` aborts.
 */
export function exchangeByTcp(
  { address, port }: Endpoint,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<Buffer> {
  const socket = connect({ host: address, port });
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  let received = Buffer.alloc(0);
  socket.on('error', (error) => reject(unreachable(error)));
  socket.on('close', () => reject(new NoReply('closed the connection')));
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    const end = received.length < 2 ? Number.POSITIVE_INFINITY : 2 + received.readUInt16BE(0);
    if (received.length >= end) resolve(received.subarray(2, end));
  });
  signal.addEventListener('abort', () => reject(new NoReply('did not reply by TCP')), { once: true });
  socket.write(Buffer.concat([length, bytes]));
  return promise.finally(() => socket.destroy());
}

/** Returns the failure of a socket in words that follow the name of a server. */
function unreachable(error: Error): NoReply {
  const { code = error.message } = error as NodeJS.ErrnoException;
  return new NoReply(`could not be reached (${code})`);
}
