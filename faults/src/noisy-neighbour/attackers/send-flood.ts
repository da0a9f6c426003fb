import { ask, openInbox } from '../attack-http.ts';
import { type Attacker, flood } from '../attacker.ts';

const mib = 1_048_576;
const texts = [
  'short',
  '\r'.repeat(5 * mib),
  '\n'.repeat(5 * mib),
  '\r'.repeat(2.4 * mib),
  'é '.repeat(1.6 * mib),
];

const bodies: Buffer[] = [];

export const sendFlood: Attacker = {
  name: 'send-flood',
  about:
    'sends on and on to itself and to 50 recipients outside, 20 at once, with texts of 5 MB of CR among them',
  // The bodies are made in advance. That takes processors, which an attacker on another machine would not share with the server.
  prepare: async (attack) => {
    const { id, address } = await openInbox(attack, 'box');
    const outside = Array.from({ length: 49 }, (_, number) => `r${number}@outside.example`);
    for (const text of texts)
      bodies.push(
        Buffer.from(JSON.stringify({ inbox_id: id, to: [address, ...outside], subject: 'Flood', text })),
      );
  },
  attack: async (attack) => {
    // Every fourth request is large, so that the rate limit of the plan is spent on both kinds.
    await flood(attack, 20, (worker, round) => {
      const number = worker + round;
      const body = bodies[number % 4 === 0 ? 1 + ((number / 4) % (bodies.length - 1)) : 0] as Buffer;
      return ask(attack, { method: 'POST', path: '/v1/messages', body });
    });
  },
};
