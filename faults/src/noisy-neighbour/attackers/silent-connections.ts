import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, type Attacker, flood } from '../attacker.ts';
import { idleAddressFrom } from '../watch-server.ts';

const idleAddresses = 25;
const silentCount = 100;
const slowCount = 50;
const halfClosedCount = 100;
const unreadCount = 300;

/** Opens a connection that stays half open when the server closes its side, as those of careless clients do. */
const open = (attack: Attack, address: number, port: number): Socket => {
  const socket = connect({
    port,
    host: '127.0.0.1',
    localAddress: attack.address(address),
    allowHalfOpen: true,
  });
  socket.on('error', () => attack.count('connection broken'));
  socket.once('end', () => attack.count('connection ended by the server'));
  return socket;
};

const httpPort = (attack: Attack): number => Number(new URL(attack.target().url).port);
const idleAddress = (number: number): number => idleAddressFrom + (number % idleAddresses);

/** Says a few bytes at most and never closes. */
const holdConnections = async (attack: Attack): Promise<void> => {
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
  // Slow bodies come from another address, because a client that still sends something is not counted as idle.
  const slow = Array.from({ length: slowCount }, () => open(attack, 1, httpPort(attack)));
  for (const socket of slow)
    socket
      .resume()
      .write(
        `POST /v1/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${attack.key}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`,
      );
  while (!attack.isOver()) {
    for (const socket of slow) if (socket.writable) socket.write(' ');
    await sleep(1_000);
  }
  for (const socket of [...sockets, ...slow]) socket.destroy();
};

/** Requests in thousands on one connection, without waiting for an answer. */
const pipeline = async (attack: Attack): Promise<void> => {
  const many = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20_000);
  const costly = 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500);
  await flood(attack, 2, async (worker) => {
    const socket = open(attack, 2 + worker, httpPort(attack));
    const ended = new Promise<void>((resolve) => socket.once('close', resolve));
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    socket.write(worker === 0 ? many : costly);
    await Promise.race([ended, sleep(5_000)]);
    socket.destroy();
    attack.count('KB of pipelined answers', Math.round(bytes / 1_024));
  });
};

export const silentConnections: Attacker = {
  name: 'silent-connections',
  about:
    'holds 300 silent, slow and half-closed connections without a key, and pipelines 20,000 /livez and 500 /metrics',
  holdsConnections: true,
  attack: async (attack) => {
    await Promise.all([holdConnections(attack), pipeline(attack)]);
  },
};

/** Asks over many connections and leaves the answers where they are. */
export const askAndNeverRead = async (attack: Attack, paths: string[]): Promise<void> => {
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
};
