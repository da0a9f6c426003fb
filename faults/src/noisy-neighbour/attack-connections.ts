import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, flood } from './attack.ts';

/** Connections that get nowhere and are never closed by the attacker. */
export interface Connections {
  /** To the port of HTTP unless told otherwise. */
  to?: 'smtp';
  most: number;
  /** The addresses that they come from in turn. */
  addresses: { from: number; count: number };
  /** The number of connections that are opened every `everyMs`; by default all of them at once. */
  each?: number;
  everyMs?: number;
  /** Whether a new one is opened for each that ends. The others stay half open if the server ends them, as those of careless clients. */
  isReopened?: true;
  isUnread?: true;
  /** Returns the bytes that one sends at its beginning. */
  sends?(number: number): string;
  /** The bytes that it sends every second afterwards. */
  drips?: string;
  /** Whether it ends its side at once. */
  isHalfClosed?: true;
}

/** Opens connections and holds them until the attack is over. */
export async function holdConnections(attack: Attack, plan: Connections): Promise<void> {
  const { most, each = most, everyMs = 1_000, drips } = plan;
  const sockets = new Set<Socket>();
  for (let opened = 0; !attack.isOver(); await sleep(everyMs)) {
    for (let more = each; more > 0 && (plan.isReopened ? sockets.size : opened) < most; more--) {
      const socket = open(attack, plan, opened++);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    if (drips !== undefined) for (const socket of sockets) if (socket.writable) socket.write(drips);
  }
  for (const socket of sockets) socket.destroy();
}

function open(attack: Attack, plan: Connections, number: number): Socket {
  const { addresses, to, sends, isUnread, isHalfClosed, isReopened = false } = plan;
  const { url, smtpPort } = attack.target();
  const socket = connect({
    port: to === 'smtp' ? smtpPort : Number(new URL(url).port),
    host: '127.0.0.1',
    localAddress: attack.address(addresses.from + (number % addresses.count)),
    allowHalfOpen: !isReopened,
  });
  attack.count('connections');
  socket.on('error', () => attack.count('connections broken'));
  socket.once('end', () => attack.count('connections ended by the server'));
  if (to === 'smtp') socket.once('data', (chunk) => attack.count(`SMTP: ${chunk.toString('latin1', 0, 3)}`));
  if (isUnread) socket.pause();
  else socket.resume();
  const bytes = sends?.(number) ?? '';
  if (isHalfClosed) socket.end(bytes);
  else if (bytes) socket.write(bytes);
  return socket;
}

/** Returns the bytes of a request, with a key if there is one. */
export function rawRequest(path: string, key?: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: a\r\n${key ? `Authorization: Bearer ${key}\r\n` : ''}\r\n`;
}

const pipelineMs = 5_000;

/** Sends bytes on one connection after another, with a worker for each, and gives each connection a few seconds. */
export async function pipeline(attack: Attack, pipelines: string[]): Promise<void> {
  await flood(attack, pipelines.length, async (number) => {
    const localAddress = attack.address(2 + (number % pipelines.length));
    const port = Number(new URL(attack.target().url).port);
    const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
    const ended = new Promise<void>((resolve) => socket.once('close', resolve));
    let bytes = 0;
    socket.on('error', () => attack.count('connections broken'));
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    socket.write(pipelines[number % pipelines.length] ?? '');
    await Promise.race([ended, sleep(pipelineMs)]);
    socket.destroy();
    attack.count('KB of pipelined answers', Math.round(bytes / 1_024));
  });
}

const socketPauseMs = 200;
const lookEveryMs = 1_000;

/** Holds sockets that are opened again whenever they end, or after so many frames. */
export function holdSockets(
  attack: Attack,
  { atOnce, framesMax }: { atOnce: number; framesMax?: number },
  firstEvent: string,
): Promise<void> {
  return flood(attack, atOnce, async () => {
    const query = framesMax === undefined ? '' : `?after=${firstEvent}`;
    const url = `${attack.target().url.replace(/^http/, 'ws')}/v1/realtime${query}`;
    const socket = new WebSocket(url, ['postrider.v1', `bearer.${attack.key}`]);
    let frames = 0;
    socket.onmessage = () => {
      attack.count('frames');
      frames += 1;
      if (frames === framesMax) socket.close();
    };
    socket.onopen = () => attack.count('sockets opened');
    const ended = new Promise<void>((resolve) => {
      socket.onclose = () => resolve();
    });
    while (!attack.isOver() && socket.readyState !== socket.CLOSED)
      await Promise.race([ended, sleep(lookEveryMs)]);
    socket.close();
    await sleep(socketPauseMs);
  });
}
