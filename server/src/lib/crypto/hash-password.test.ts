import { availableParallelism } from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hashPassword, verifyPassword } from './hash-password.ts';

test('a password has another hash each time, and only that password matches', async () => {
  const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w-]{22}\$[\w-]{43}$/);
  expect(one).not.toBe(other);
  expect(await verifyPassword('correct horse', one)).toBe(true);
  expect(await verifyPassword('correct horse', other)).toBe(true);
  expect(await verifyPassword('Correct horse', one)).toBe(false);
  expect(await verifyPassword('', one)).toBe(false);
});

test('a password is the same however its letters are composed', async () => {
  expect(await verifyPassword('Zoe\u0308 and coffee', await hashPassword('Zo\u00eb and coffee'))).toBe(true);
});

test('nothing matches without a hash, or with one that is malformed', async () => {
  for (const hash of [null, '', '$', '$argon2id$v=19$m=19456,t=2,p=1$$', '$md5$x$abc$def'])
    expect(await verifyPassword('', hash)).toBe(false);
});

test('a hash by scrypt is still understood', async () => {
  const { scryptSync } = await import('node:crypto');
  const salt = Buffer.alloc(16, 7);
  const tag = scryptSync('old one', salt, 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1_048_576 });
  const hash = `$scrypt$ln=17,r=8,p=1$${salt.toString('base64url')}$${tag.toString('base64url')}`;
  expect(await verifyPassword('old one', hash)).toBe(true);
  expect(await verifyPassword('new one', hash)).toBe(false);
});

test('the hashes of one owner do not delay those of another, and only some of them wait', async () => {
  // Nobody loses patience because the machine is slow.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const done: string[] = [];
  const hash = (owner: string) => hashPassword('correct horse', owner).then(() => done.push(owner));
  const greedy = Promise.allSettled(Array.from({ length: 60 }, () => hash('greedy')));
  await hash('modest');
  expect(done.length).toBeLessThan(10);
  const refused = (await greedy).filter((each) => each.status === 'rejected');
  const takenMax = 40 + Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));
  expect(refused.map(({ reason }) => reason.code)).toEqual(Array(60 - takenMax).fill('unavailable'));
});
