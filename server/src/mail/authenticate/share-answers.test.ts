import { failingDns } from '@postrider/testkit/mail/signed-mail.ts';
import { expect, test } from 'vitest';
import { type DnsResolve, shareAnswers } from './ask-dns.ts';

/** A shared resolver with its own time, and the names that were really asked. */
function shared(resolve: DnsResolve) {
  const time = { ms: 0 };
  const asked: string[] = [];
  const counted: DnsResolve = (name, type) => {
    asked.push(`${type} ${name}`);
    return resolve(name, type);
  };
  return { time, asked, ask: shareAnswers(counted, () => time.ms) };
}

test('a question is asked once in half a minute, however its name is spelled, and once for those that ask together', async () => {
  const { time, asked, ask } = shared(async () => [['v=spf1 -all']]);
  await Promise.all([ask('example.com', 'TXT'), ask('Example.COM', 'TXT'), ask('example.com', 'MX')]);
  time.ms = 29_000;
  expect(await ask('example.com', 'TXT')).toEqual([['v=spf1 -all']]);
  expect(asked).toEqual(['TXT example.com', 'MX example.com']);
  time.ms = 30_000;
  await ask('example.com', 'TXT');
  expect(asked).toHaveLength(3);
});

test('a negative answer is shared, and a failure only by those that wait for it', async () => {
  for (const [code, count] of [
    ['ENOTFOUND', 1],
    ['ENODATA', 1],
    ['ESERVFAIL', 2],
    ['ETIMEOUT', 2],
  ] as const) {
    const { asked, ask } = shared(failingDns(code));
    const together = await Promise.allSettled([ask('a.example', 'TXT'), ask('a.example', 'TXT')]);
    for (const result of together) expect(result).toMatchObject({ reason: { code } });
    expect(asked).toHaveLength(1);
    await expect(ask('a.example', 'TXT')).rejects.toMatchObject({ code });
    expect(asked).toHaveLength(count);
  }
});

test('each caller gets records and errors of its own, which it may change', async () => {
  const { ask } = shared(async () => [['one']]);
  const first = (await ask('a.example', 'TXT')) as string[][];
  first[0]?.push('changed');
  expect(await ask('a.example', 'TXT')).toEqual([['one']]);
  const { ask: denied } = shared(failingDns('ENOTFOUND'));
  const errors = await Promise.all(
    [1, 2].map(() => denied('a.example', 'TXT').catch((error: unknown) => error)),
  );
  expect(errors[0]).not.toBe(errors[1]);
});

test('a large answer is not kept, and a resolver that throws is a failure', async () => {
  const { asked, ask } = shared(async () => [['x'.repeat(5_000)]]);
  await ask('a.example', 'TXT');
  await ask('a.example', 'TXT');
  expect(asked).toHaveLength(2);
  const broken = shareAnswers(() => {
    throw new Error('at once');
  });
  await expect(broken('a.example', 'TXT')).rejects.toMatchObject({ code: 'ESERVFAIL' });
});
