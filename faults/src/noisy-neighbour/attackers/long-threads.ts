import { ask, obtain, openInbox } from '../attack-http.ts';
import { sendMail, smallMail } from '../attack-mail.ts';
import { type Attacker, flood } from '../attacker.ts';

const mailsMax = 20_000;
const mails = 5_000;

export const longThreads: Attacker = {
  name: 'long-threads',
  about: 'has a thread of 5,000 mails and reads it on and on, 20 at once, while mail joins it',
  prepare: async (attack) => {
    const { address } = await openInbox(attack, 'box');
    await sendMail(attack, { to: address, sessions: 1, count: 1, make: () => smallMail(`${attack.name}-0`) });
    const make = (number: number) =>
      smallMail(`${attack.name}-${number + 1}`, { replyTo: `${attack.name}-0` });
    await sendMail(attack, { to: address, sessions: 8, count: mails, make });
  },
  attack: async (attack) => {
    const { inboxes } = await obtain<{ inboxes: { address: string }[] }>(attack, { path: '/v1/inboxes' });
    const { threads } = await obtain<{ threads: { id: string }[] }>(attack, { path: '/v1/threads?limit=1' });
    const run = `${attack.name}-${Date.now()}`;
    const paths = [
      `/v1/threads/${threads[0]?.id}`,
      '/v1/threads?limit=100',
      `/v1/messages?thread_id=${threads[0]?.id}&limit=100`,
    ];
    await Promise.all([
      flood(attack, 20, (worker, round) =>
        ask(attack, { path: paths[(worker + round) % paths.length] as string, isList: true }),
      ),
      sendMail(attack, {
        most: mailsMax,
        to: inboxes[0]?.address ?? '',
        sessions: 8,
        make: (number) => smallMail(`${run}-${number}`, { replyTo: `${attack.name}-0` }),
      }),
    ]);
  },
};
