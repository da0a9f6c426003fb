/*
 * Mail that is built to hang, exhaust or confuse whoever reads it: all of it is taken and kept byte by byte, and other requests
 * are answered meanwhile as if nothing was.
 */
import { hostileMails } from '@postrider/testkit/mail/hostile-mail.ts';
import { asSent, dotStuffed } from '@postrider/testkit/mail/mail-corpus.ts';
import { probeWhile } from '@postrider/testkit/servers/probe-while.ts';
import { readMemoryMb } from '@postrider/testkit/servers/process-memory.ts';
import {
  makeServerHome,
  type ServerHome,
  type ServerProcess,
} from '@postrider/testkit/servers/server-process.ts';
import { readBack } from '@postrider/testkit/smtp/raw-delivery.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

const stallMsMax = 250;
const memoryMbMax = 700;
const bytesMax = 10 * 1_048_576;
/** A stall that a mail causes comes every time; one of the garbage of others does not. */
const attemptsMax = 3;

let home: ServerHome;
let server: ServerProcess;
let inbox: Inbox;
let smtp: RawSmtpClient;

beforeAll(async () => {
  home = await makeServerHome({ POSTRIDER_RATE_LIMITS: 'off' });
  server = await home.start();
  inbox = await server.client.inboxes.create({ local_part: 'target' });
  smtp = await RawSmtpClient.greet(server.smtpPort);
});
afterAll(() => home.remove());

const mails = Object.entries(hostileMails).map(([name, make]) => ({ name, make }));

const deliver = async (stuffed: Buffer): Promise<{ id: string; worstMs: number }> => {
  const { value, worstMs } = await probeWhile(`${server.url}/livez`, server.pid, () =>
    smtp.deliver(stuffed, 'mallory@sender.example', inbox.address),
  );
  expect(value.code, value.lines.join(' ')).toBe(250);
  return { id: /msg_\w+/.exec(value.lines.join(' '))?.[0] ?? '', worstMs };
};

/** Delivers a mail, again if the probe was held up; gives the shortest of its longest stalls. */
const deliverCalmly = async (raw: Buffer): Promise<{ id: string; worstMs: number }> => {
  const stuffed = dotStuffed(raw);
  let best = await deliver(stuffed);
  for (let attempt = 1; attempt < attemptsMax && best.worstMs > stallMsMax; attempt++) {
    const again = await deliver(stuffed);
    if (again.worstMs < best.worstMs) best = again;
  }
  return best;
};

test('Architecture 5: hostile mail is kept byte by byte and holds up nobody else', async () => {
  expect(Object.keys(hostileMails).length).toBeGreaterThanOrEqual(28);
  const worst = { name: '', ms: 0, memoryMb: 0 };
  const stalls: string[] = [];
  for (const { name, make } of mails) {
    const raw = asSent(make());
    expect(raw.length, name).toBeLessThanOrEqual(bytesMax);
    const { id, worstMs } = await deliverCalmly(raw);
    await readBack(server.client, id, raw);
    if (worstMs > stallMsMax) stalls.push(`${name}: ${worstMs} ms`);
    if (worstMs > worst.ms) Object.assign(worst, { name, ms: worstMs });
    worst.memoryMb = Math.max(worst.memoryMb, readMemoryMb(server.pid));
  }
  console.log(
    `${mails.length} hostile mails; the probe was held up for ${worst.ms} ms at most (${worst.name}), ` +
      `the server took ${worst.memoryMb} MB at most`,
  );
  expect(stalls).toEqual([]);
  expect(worst.memoryMb).toBeLessThan(memoryMbMax);
  expect(mails.length).toBe((await listed()).length);
});

const listed = async (): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of server.client.messages.list({ inbox_id: inbox.id, limit: 100 })) ids.push(id);
  return ids;
};
