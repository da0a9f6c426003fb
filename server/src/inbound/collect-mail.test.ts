import { PassThrough, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMailCollector } from './collect-mail.ts';

const createSmall = () => createMailCollector({ slots: 10_000, ofOwner: 5_000 });

/** Collects mail of one client, uses it, and lets go of it. */
const collectFor = (client: string, all = createSmall()) => {
  const collect = async <T>(stream: Readable, use: (raw: Buffer) => Promise<T>): Promise<T | null> => {
    const collected = await all({ remoteAddress: client, stream });
    if (!collected) return null;
    return use(collected.raw).finally(collected.release);
  };
  return collect;
};
const size = async (raw: Buffer) => raw.length;
const mail = (...sizes: number[]) => Readable.from(sizes.map((bytes) => Buffer.alloc(bytes, 'x')));
/** A mail whose client has sent so many bytes and not the end. */
const unfinished = async (collect: ReturnType<typeof collectFor>, bytes: number) => {
  const stream = new PassThrough();
  stream.write(Buffer.alloc(bytes));
  const result = collect(stream, size).catch((error: Error) => error.message);
  await nextTurn();
  return { stream, result };
};

test('a mail arrives whole, whatever its pieces', async () => {
  const collect = collectFor('127.0.0.1');
  const stream = Readable.from(['a', 'bc', 'def'].map((piece) => Buffer.from(piece)));
  expect(await collect(stream, async (raw) => raw.toString())).toBe('abcdef');
  expect(await collect(mail(), size)).toBe(0);
});

test('a mail that finds no room is given up, and others go on', async () => {
  const collect = collectFor('127.0.0.1');
  const first = await unfinished(collect, 6_000);
  const late = mail(3_000, 3_000);
  expect(await collect(late, size)).toBeNull();
  expect(late.destroyed).toBe(true);
  expect(await collect(mail(3_000), size)).toBe(3_000);
  first.stream.end(Buffer.alloc(1_000));
  expect(await first.result).toBe(7_000);
});

test('the room of a mail is free again after it was used, broken off, refused or failed in use', async () => {
  const collect = collectFor('127.0.0.1');
  const fits = async () => expect(await collect(mail(9_500), size)).toBe(9_500);
  await fits();
  const lost = await unfinished(collect, 9_000);
  lost.stream.destroy(new Error('lost'));
  expect(await lost.result).toBe('lost');
  await fits();
  expect(await collect(mail(5_000, 5_000), size)).toBeNull();
  await fits();
  await expect(collect(mail(9_000), () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  await fits();
});

test('a mail keeps its room while it is in use', async () => {
  const collect = collectFor('127.0.0.1');
  const done = Promise.withResolvers<string>();
  const used = collect(mail(9_000), () => done.promise);
  await nextTurn();
  expect(await collect(mail(1_000), size)).toBeNull();
  done.resolve('stored');
  expect(await used).toBe('stored');
  expect(await collect(mail(1_000), size)).toBe(1_000);
});

test('a mail in tiny pieces takes more room than its bytes', async () => {
  const collect = collectFor('127.0.0.1');
  expect(await collect(mail(...Array<number>(100).fill(1)), size)).toBeNull();
});

test('one client cannot take the room of all, an IPv6 network counts as one, and this machine may take it', async () => {
  const all = createSmall();
  const [one, same, other] = ['2001:db8:1:2::1', '2001:db8:1:2::9', '192.0.2.1'].map((client) =>
    collectFor(client, all),
  ) as [ReturnType<typeof collectFor>, ReturnType<typeof collectFor>, ReturnType<typeof collectFor>];
  const first = await unfinished(one, 3_000);
  expect(await same(mail(3_000), size)).toBeNull();
  expect(await other(mail(3_000), size)).toBe(3_000);
  first.stream.end();
  expect(await first.result).toBe(3_000);
  expect(await same(mail(3_000), size)).toBe(3_000);
  expect(await collectFor('::1', all)(mail(9_000), size)).toBe(9_000);
});
