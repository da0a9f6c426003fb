import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, flood } from './attacker.ts';

/** Sockets of an attacker. */
export interface AttackSockets {
  atOnce: number;
  /** The event after which they begin. Without it, they wait for new ones. */
  after?: string;
  /** The number of frames after which a socket is closed and opened again. */
  framesMax?: number;
}

const pauseMs = 200;
const lookEveryMs = 1_000;

/** Holds sockets that are opened again whenever they end. */
export function holdSockets(attack: Attack, { atOnce, after, framesMax }: AttackSockets): Promise<void> {
  return flood(attack, atOnce, async () => {
    const query = after === undefined ? '' : `?after=${after}`;
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
    await sleep(pauseMs);
  });
}
