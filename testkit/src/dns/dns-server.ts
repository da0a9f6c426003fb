/*
 * A DNS server for tests, on one port of this machine by UDP and TCP. It has authority over its zones, plays the resolver for questions
 * that ask for recursion, and accepts signed updates (RFC 2136).
 */
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type DecodedPacket, decode, encode, TRUNCATED_RESPONSE } from 'dns-packet';
import { acceptUpdate } from './accept-update.ts';
import { answerQuestion } from './answer-question.ts';
import type { TsigKey } from './check-signature.ts';
import { DnsRecords, nameServer, plainName, type StoredType, type StoredValue } from './dns-records.ts';

const host = '127.0.0.1';
const plainUdpBytes = 512;
const formError = 1;
const serverFailure = 2;
const opcodeMask = 0x7800;
const updateOpcode = 0x2800;
const notImplemented = 4;

/** A running server. Names may be written in any case. */
export interface DnsServer {
  port: number;
  host: string;
  /** `host:port`, as `POSTRIDER_DNS` wants it. */
  address: string;
  /** Every question so far, such as `TXT example.test`, with `udp` or `tcp` after it. */
  asked: string[];
  /** Gives the server authority over one more zone. Its name servers default to one name at the server's own address. */
  addZone(zone: string, nameServers?: string[]): void;
  /** Replaces the records of a name and type. A name may start with `*.`; no values removes them. */
  set(name: string, type: StoredType, values: StoredValue[]): void;
  /** Returns the records of a name and type, as they were set or came in by an update. */
  get(name: string, type: StoredType): StoredValue[];
  remove(name: string, type: StoredType): void;
  /** Removes all records, and makes the server answer everything again. */
  clear(): void;
  /** Lets all questions go unanswered, or ends that. */
  silence(on: boolean): void;
  /** Answers SERVFAIL for these names from now on, and for no others. */
  failFor(...names: string[]): void;
  close(): Promise<void>;
}

interface State {
  records: DnsRecords;
  asked: string[];
  isSilent: boolean;
  failing: Set<string>;
  tsig: TsigKey | null;
}

/**
 * Starts a server with authority over the zones; by default over the root, so that it knows which names do not exist. With `tsig` it
 * accepts updates that are signed with that key.
 */
export async function startDnsServer(
  zones: string[] = ['.'],
  { tsig = null }: { tsig?: TsigKey | null } = {},
): Promise<DnsServer> {
  const state: State = { records: new DnsRecords(), asked: [], isSilent: false, failing: new Set(), tsig };
  const { tcp, udp, sockets } = await listen(state);
  const { port } = tcp.address() as AddressInfo;
  const { records } = state;
  const ownServers = new Set<string>();
  const addZone = (zone: string, nameServers?: string[]) => {
    const own = nameServer(plainName(zone));
    records.addZone(zone, nameServers ?? [own]);
    if (nameServers === undefined) ownServers.add(own);
    for (const name of ownServers) records.set(name, 'A', [host]);
  };
  for (const zone of zones) addZone(zone);
  return {
    port,
    host,
    address: `${host}:${port}`,
    asked: state.asked,
    addZone,
    set: (name, type, values) => records.set(name, type, values),
    get: (name, type) => records.get(name, type),
    remove: (name, type) => records.set(name, type, []),
    clear: () => {
      records.clear();
      for (const name of ownServers) records.set(name, 'A', [host]);
      state.isSilent = false;
      state.failing.clear();
    },
    silence: (on) => {
      state.isSilent = on;
    },
    failFor: (...names) => {
      state.failing = new Set(names.map(plainName));
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      udp.close();
      tcp.close();
      await once(tcp, 'close');
    },
  };
}

/** Opens both sockets on one port. The system chose it for TCP only, so another one may have it for UDP. */
async function listen(state: State): Promise<{ tcp: Server; udp: UdpSocket; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  for (;;) {
    const tcp = createServer((socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      serveTcp(state, socket);
    });
    tcp.listen(0, host);
    await once(tcp, 'listening');
    const udp = createSocket('udp4');
    try {
      udp.bind((tcp.address() as AddressInfo).port, host);
      await once(udp, 'listening');
    } catch {
      udp.close();
      tcp.close();
      continue;
    }
    udp.on('message', (bytes, { port, address }) => {
      const answer = respond(state, bytes, 'udp');
      if (answer) udp.send(answer, port, address);
    });
    return { tcp, udp, sockets };
  }
}

function serveTcp(state: State, socket: Socket): void {
  let received = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0);
      const answer = respond(state, received.subarray(2, end), 'tcp');
      received = received.subarray(end);
      if (answer === null) continue;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.write(Buffer.concat([length, answer]));
    }
  });
}

/** Returns the bytes of an answer; null if the server is silent or the bytes are no query. */
function respond(state: State, bytes: Buffer, by: 'tcp' | 'udp'): Buffer | null {
  if (state.isSilent) return null;
  const isUpdate = bytes.length >= 12 && (bytes.readUInt16BE(2) & (opcodeMask | 0x8000)) === updateOpcode;
  if (isUpdate && state.tsig !== null) return respondToUpdate(state, bytes, by, state.tsig);
  const query = readQuery(bytes);
  if (query === null) return null;
  const question = query.questions![0]!;
  state.asked.push(`${question.type} ${question.name} ${by}`);
  const base = { type: 'response' as const, id: query.id!, questions: [question] };
  const opcode = query.flags! & opcodeMask;
  if (opcode !== 0) return encode({ ...base, flags: opcode | notImplemented });
  if (state.failing.has(plainName(question.name))) return encode({ ...base, flags: serverFailure });
  const sections = answerQuestion(state.records, question, query.flag_rd);
  const options = query.additionals!.find(({ type }) => type === 'OPT');
  const additionals = options ? [{ ...options, udpPayloadSize: 1_232 }] : [];
  const answer = encode({ ...base, ...sections, additionals });
  const room =
    by === 'tcp'
      ? Number.POSITIVE_INFINITY
      : options?.type === 'OPT'
        ? options.udpPayloadSize
        : plainUdpBytes;
  return answer.length <= room
    ? answer
    : encode({ ...base, flags: sections.flags | TRUNCATED_RESPONSE, additionals });
}

function respondToUpdate(state: State, bytes: Buffer, by: 'tcp' | 'udp', key: TsigKey): Buffer | null {
  state.asked.push(`UPDATE ${by}`);
  try {
    return acceptUpdate(state.records, bytes, key);
  } catch {
    const answer = Buffer.alloc(12);
    bytes.copy(answer, 0, 0, 2);
    answer.writeUInt16BE(0x8000 | updateOpcode | formError, 2);
    return answer;
  }
}

function readQuery(bytes: Buffer): DecodedPacket | null {
  try {
    const query = decode(bytes);
    return query.type === 'query' && query.questions?.length === 1 ? query : null;
  } catch {
    return null;
  }
}
