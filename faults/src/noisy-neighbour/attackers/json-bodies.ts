import { ask } from '../attack-http.ts';
import { type Attacker, flood } from '../attacker.ts';

const mib = 1_048_576;

/** Returns JSON that is cheap to make and costly to read. */
function makeBodies(): Buffer[] {
  const keys = Array.from({ length: 800_000 }, (_, number) => `"k${number}":0`);
  return [
    `{${keys.join(',')}}`,
    `{"inbox_id":"x","attachments":[${'{},'.repeat((24 * mib) / 3)}{}]}`,
    `{"inbox_id":"x","to":[${'0,'.repeat(4 * mib)}0]}`,
    `{"inbox_id":"x","metadata":${'['.repeat(5 * mib)}${']'.repeat(5 * mib)}}`,
    `{"inbox_id":"x","attachments":[{"content":"${'\\u0041'.repeat((30 * mib) / 6)}"}]}`,
  ].map((text) => Buffer.from(text));
}

const made: Buffer[] = [];

export const jsonBodies: Attacker = {
  name: 'json-bodies',
  about:
    'posts JSON of many values: 10 MB of unknown keys, 24 MB of empty objects, deep brackets, 30 MB of escapes',
  prepare: async () => {
    made.push(...makeBodies());
  },
  attack: async (attack) => {
    await flood(attack, 6, (worker, round) =>
      ask(attack, {
        method: 'POST',
        path: '/v1/messages',
        body: made[(worker + round) % made.length] as Buffer,
      }),
    );
  },
};
