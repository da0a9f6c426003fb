import { ask, openInbox } from '../attack-http.ts';
import { sendMail, smallMail } from '../attack-mail.ts';
import { holdSockets } from '../attack-sockets.ts';
import { type Attacker, flood } from '../attacker.ts';

const mailsMax = 20_000;
const polls = 120;
const sockets = 120;

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
      holdSockets(attack, { atOnce: sockets }),
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
