import { expect, test } from 'vitest';
import { askDns, type DnsResolve } from './ask-dns.ts';

const limited = (resolve: DnsResolve, timeoutMs = 300_000, questionsMax = 10) =>
  askDns(resolve, { timeoutMs, questionsMax });

test('passes answers on as they are', async () => {
  const records = [['v=spf1 ', '-all']];
  expect(await limited(async () => records).resolve('example.com', 'TXT')).toBe(records);
  const exchanges = [{ exchange: 'mx.example.com', priority: 10 }] as unknown as string[];
  expect(await limited(async () => exchanges).resolve('example.com', 'MX')).toBe(exchanges);
});

test('keeps the code of a failure, and calls one without a code SERVFAIL', async () => {
  const missing = Object.assign(new Error('no'), { code: 'ENOTFOUND' });
  await expect(limited(() => Promise.reject(missing)).resolve('x', 'TXT')).rejects.toBe(missing);
  const odd: DnsResolve[] = [
    () => Promise.reject('text'),
    () => Promise.reject(new Error('no code')),
    () => {
      throw new Error('at once');
    },
    async () => null as unknown as string[],
    async () => [1, 'x'] as unknown as string[],
    async () => [['x', 1]] as unknown as string[][],
  ];
  for (const resolve of odd)
    await expect(limited(resolve).resolve('x', 'TXT')).rejects.toMatchObject({ code: 'ESERVFAIL' });
});

test('all questions of one mail share one time, after which nothing is asked', async () => {
  let asked = 0;
  const { resolve } = limited(() => {
    asked += 1;
    return new Promise(() => undefined);
  }, 50);
  await expect(Promise.all([resolve('a', 'TXT'), resolve('b', 'TXT')])).rejects.toMatchObject({
    code: 'ETIMEOUT',
  });
  await new Promise((done) => setTimeout(done, 60));
  await expect(resolve('c', 'TXT')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  expect(asked).toBe(2);
});

test('a question too many is not asked, and gets no answer rather than a negative one', async () => {
  let asked = 0;
  const { resolve, hasExceeded } = limited(
    async () => {
      asked += 1;
      return [];
    },
    300_000,
    2,
  );
  await Promise.all([resolve('a', 'TXT'), resolve('b', 'TXT')]);
  expect(hasExceeded()).toBe(false);
  await expect(resolve('c', 'TXT')).rejects.toMatchObject({ code: 'EREFUSED' });
  expect(hasExceeded()).toBe(true);
  expect(asked).toBe(2);
});
