import { ask, obtain, openInbox } from '../attack-http.ts';
import { sendMail, smallMail } from '../attack-mail.ts';
import { type Attacker, flood } from '../attacker.ts';

const text = `${'Words that fill a disk. '.repeat(3)}\r\n`.repeat(7_000);
/** 1.5 GB in total, so that the disk of the machine does not fill up. */
const mailsMax = 3_000;

export const storageFlood: Attacker = {
  name: 'storage-flood',
  about:
    'sends mails of 500 KB from one address into one inbox by 20 sessions, and makes and deletes inboxes',
  attack: async (attack) => {
    const { address } = await openInbox(attack, 'box');
    const run = `${attack.name}-${Date.now()}`;
    await Promise.all([
      sendMail(attack, {
        to: address,
        sessions: 20,
        most: mailsMax,
        make: (number) => smallMail(`${run}-${number}`, { text }),
      }),
      flood(attack, 4, async (worker, round) => {
        const body = { local_part: `squat-${Date.now()}-${worker}-${round}` };
        const { id } = await obtain<{ id: string }>(attack, { method: 'POST', path: '/v1/inboxes', body });
        await ask(attack, { method: 'DELETE', path: `/v1/inboxes/${id}` });
      }),
    ]);
  },
};
