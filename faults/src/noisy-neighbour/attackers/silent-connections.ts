import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, type Attacker, flood } from '../attacker.ts';
import { idleAddressFrom } from '../watch-server.ts';

const idleAddresses = 25;
const silentCount = 100;
const slowCount = 50;
const halfClosedCount = 100;
const refusedCount = 25;
const emptyLinesCount = 25;
const unreadCount = 300;
const pipelineCount = 8;

/** Opens a connection that stays half open if the server closes its side, as those of careless clients do. */
function open(attack: Attack, address: number, port: number): Socket {
  const socket = connect({
    port,
    host: '127.0.0.1',
    localAddress: attack.address(address),
    allowHalfOpen: true,
  });
  socket.on('error', () => attack.count('connection broken'));
  socket.once('end', () => attack.count('connection ended by the server'));
  return socket;
}

function httpPort(attack: Attack): number {
  return Number(new URL(attack.target().url).port);
}
function idleAddress(number: number): number {
  return idleAddressFrom + (number % idleAddresses);
}

/** A request that is refused for its missing key before its body arrives. The body continues to arrive. */
const refusedRequest =
  'POST /v1/messages HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{';

/** Opens connections that get nowhere, because they send nothing or a byte a second, and never closes them. */
async function holdConnections(attack: Attack): Promise<void> {
  const sockets: Socket[] = [];
  const hold = (number: number) => {
    const socket = open(attack, idleAddress(number), httpPort(attack));
    socket.resume();
    sockets.push(socket);
    return socket;
  };
  for (let number = 0; number < silentCount; number++) hold(number);
  for (let number = 0; number < slowCount; number++)
    hold(number).write('GET /livez HTTP/1.1\r\nHost: a\r\nX-Slow: ');
  for (let number = 0; number < halfClosedCount; number++)
    hold(number).end(number % 2 ? 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n' : 'nonsense\r\n\r\n');
  const refused = Array.from({ length: refusedCount }, (_, number) => hold(number));
  for (const socket of refused) socket.write(refusedRequest);
  // Node's own time limits treat an empty line between two requests as a sign of life.
  const emptyLines = Array.from({ length: emptyLinesCount }, (_, number) => hold(number));
  for (const socket of emptyLines) socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
  // Slow bodies come from another address, because such a client is not counted as idle.
  const slow = Array.from({ length: slowCount }, () => open(attack, 1, httpPort(attack)));
  for (const socket of slow)
    socket
      .resume()
      .write(
        `POST /v1/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${attack.key}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`,
      );
  while (!attack.isOver()) {
    for (const socket of [...slow, ...refused]) if (socket.writable) socket.write(' ');
    for (const socket of emptyLines) if (socket.writable) socket.write('\r\n');
    await sleep(1_000);
  }
  for (const socket of [...sockets, ...slow]) socket.destroy();
}

/** Sends thousands of requests on one connection, without waiting for a response. */
async function pipeline(attack: Attack): Promise<void> {
  const many = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20_000);
  const costly = 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500);
  await flood(attack, pipelineCount, async (worker) => {
    const socket = open(attack, 2 + worker, httpPort(attack));
    const ended = new Promise<void>((resolve) => socket.once('close', resolve));
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    socket.write(worker % 2 === 0 ? many : costly);
    await Promise.race([ended, sleep(5_000)]);
    socket.destroy();
    attack.count('KB of pipelined answers', Math.round(bytes / 1_024));
  });
}

export const silentConnections: Attacker = {
  name: 'silent-connections',
  about:
    'holds 350 silent, slow, half-closed and refused connections without a key, and pipelines 20,000 /livez and 500 /metrics',
  holdsConnections: true,
  attack: async (attack) => {
    await Promise.all([holdConnections(attack), pipeline(attack)]);
  },
};

/** Makes requests over many connections and never reads the responses. */
export async function askAndNeverRead(attack: Attack, paths: string[]): Promise<void> {
  const sockets: Socket[] = [];
  while (!attack.isOver()) {
    for (let number = 0; number < 45 && sockets.length < unreadCount; number++) {
      const socket = open(attack, idleAddress(sockets.length), httpPort(attack));
      const path = paths[number % paths.length];
      socket
        .pause()
        .write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${attack.key}\r\n\r\n`.repeat(3));
      attack.count('connections whose answers are not read');
      sockets.push(socket);
    }
    await sleep(5_000);
  }
  for (const socket of sockets) socket.destroy();
}
