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

/** Where a server listens. */
export interface Endpoint {
  address: string;
  port: number;
}

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

function byTcp({ address, port }: Endpoint, bytes: Buffer, signal: AbortSignal): Promise<DnsReply> {
  const socket = connect({ host: address, port });
  const { promise, resolve, reject } = Promise.withResolvers<DnsReply>();
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  let received = Buffer.alloc(0);
  socket.on('error', (error) => reject(unreachable(error)));
  socket.on('close', () => reject(new NoReply('closed the connection')));
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
    try {
      const reply = readReply(received.subarray(2, 2 + received.readUInt16BE(0)), bytes);
      if (reply) resolve(reply);
      else reject(new NoReply('replied to something else'));
    } catch (error) {
      reject(error);
    }
  });
  signal.addEventListener('abort', () => reject(new NoReply('did not reply by TCP')), { once: true });
  socket.write(Buffer.concat([length, bytes]));
  return promise.finally(() => socket.destroy());
}

function unreachable(error: Error): NoReply {
  const { code = error.message } = error as NodeJS.ErrnoException;
  return new NoReply(`could not be reached (${code})`);
}
