import { setTimeout as sleep } from 'node:timers/promises';
import { ask, openInbox } from '../attack-http.ts';
import { sendMail, smallMail } from '../attack-mail.ts';
import { type Attack, type Attacker, flood } from '../attacker.ts';

const mailsMax = 20_000;
const polls = 120;
const sockets = 120;

/** Sockets that are opened again whenever they end. */
const holdSockets = (attack: Attack): Promise<void> =>
  flood(attack, sockets, async () => {
    const url = `${attack.target().url.replace(/^http/, 'ws')}/v1/realtime`;
    const socket = new WebSocket(url, ['postrider.v1', `bearer.${attack.key}`]);
    socket.onmessage = () => attack.count('frames');
    socket.onopen = () => attack.count('sockets opened');
    const ended = new Promise<void>((resolve) => {
      socket.onclose = () => resolve();
    });
    while (!attack.isOver() && socket.readyState !== socket.CLOSED) await Promise.race([ended, sleep(1_000)]);
    socket.close();
    await sleep(200);
  });

export const waitingFlood: Attacker = {
  name: 'waiting-flood',
  about: 'opens 120 long polls and 120 sockets, again whenever one ends, while mail wakes them',
  attack: async (attack) => {
    const { id, address } = await openInbox(attack, 'box');
    const run = `${attack.name}-${Date.now()}`;
    const paths = [
      `/v1/messages?inbox_id=${id}&subject=nothing&wait_seconds=30`,
      '/v1/events?after=latest&wait_seconds=30',
    ];
    await Promise.all([
      flood(attack, polls, (worker) => ask(attack, { path: paths[worker % 2] as string })),
      holdSockets(attack),
      sendMail(attack, {
        most: mailsMax,
        to: address,
        sessions: 4,
        pauseMs: 40,
        make: (number) => smallMail(`${run}-${number}`),
      }),
    ]);
  },
};
