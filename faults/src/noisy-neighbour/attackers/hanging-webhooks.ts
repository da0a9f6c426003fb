import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { obtain, openInbox } from '../attack-http.ts';
import { sendMail, smallMail } from '../attack-mail.ts';
import type { Attacker } from '../attacker.ts';

const mailsMax = 2_000;
const webhooks = 50;
const ports: number[] = [];

export const hangingWebhooks: Attacker = {
  name: 'hanging-webhooks',
  about:
    'has 50 webhooks whose receiver takes connections and answers nothing, while mail makes events for each',
  prepare: async (attack) => {
    const receiver = createServer((socket) => {
      attack.count('posts that hang');
      socket.resume().on('error', () => undefined);
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    ports.push((receiver.address() as AddressInfo).port);
    for (let number = 0; number < webhooks; number++)
      await obtain(attack, {
        method: 'POST',
        path: '/v1/webhooks',
        body: { url: `http://127.0.0.1:${ports[0]}/${number}`, events: ['message.received'] },
      });
    await openInbox(attack, 'box');
  },
  attack: async (attack) => {
    const { inboxes } = await obtain<{ inboxes: { address: string }[] }>(attack, { path: '/v1/inboxes' });
    const run = `${attack.name}-${Date.now()}`;
    await sendMail(attack, {
      most: mailsMax,
      to: inboxes[0]?.address ?? '',
      sessions: 4,
      pauseMs: 40,
      make: (number) => smallMail(`${run}-${number}`),
    });
  },
};
