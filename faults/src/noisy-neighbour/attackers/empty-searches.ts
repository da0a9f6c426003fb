import { ask, openInbox } from '../attack-http.ts';
import { sendMail, smallMail } from '../attack-mail.ts';
import { type Attacker, flood } from '../attacker.ts';

const mails = 4_000;
const paths = [
  '/v1/messages?from=nobody.example&subject=nothing&has_attachment=true&limit=100',
  '/v1/messages?direction=outbound&from=attacker.example&limit=100',
  '/v1/messages?to=nobody.example&after=2020-01-01T00:00:00.000Z&subject=mail&limit=100',
  '/v1/messages?from=attacker.example&subject=mail&has_attachment=true&limit=100',
  `/v1/messages?subject=${encodeURIComponent('mail '.repeat(190))}&direction=outbound&limit=100`,
  '/v1/messages?from=attacker.example&to=nobody.example&direction=inbound&has_attachment=true&limit=100',
];

export const emptySearches: Attacker = {
  name: 'empty-searches',
  about: 'lists 4,000 mails by combined filters that find nothing, 90 at once',
  prepare: async (attack) => {
    const { address } = await openInbox(attack, 'box');
    await sendMail(attack, {
      to: address,
      sessions: 8,
      count: mails,
      make: (number) => smallMail(`${attack.name}-${number}`),
    });
  },
  attack: (attack) =>
    flood(attack, 90, (worker, round) =>
      ask(attack, { path: paths[(worker + round) % paths.length] as string }),
    ),
};
