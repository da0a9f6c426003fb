/*
 * Mail that was changed at random, and mail that was made up by the grammar: all of it is taken, readable and kept byte by byte,
 * and the process that takes it lives on with as much memory as before.
 */

import { fuzzTest } from '@postrider/testkit/lib/fuzz-rounds.ts';
import { bounceCorpus, bounceFixtures } from '@postrider/testkit/mail/bounce-corpus.ts';
import { type Edit, edited, someEdits } from '@postrider/testkit/mail/edit-bytes.ts';
import { madeUpMail } from '@postrider/testkit/mail/made-up-mail.ts';
import { corpusFolder, fixturesFolder, readMails } from '@postrider/testkit/mail/mail-corpus.ts';
import { readMemoryMb } from '@postrider/testkit/servers/process-memory.ts';
import {
  makeServerHome,
  type ServerHome,
  type ServerProcess,
} from '@postrider/testkit/servers/server-process.ts';
import { openRawDelivery, type RawDelivery, readBack } from '@postrider/testkit/smtp/raw-delivery.ts';
import fc from 'fast-check';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect } from 'vitest';

const casesARound = 50;
const atOnceMax = 8;
const memoryMbMax = 700;
const receivedLinesMax = 50;
/** Mail with the null sender is read for what it reports, too. */
const senders = ['mallory@sender.example', ''];

let home: ServerHome;
let server: ServerProcess;
let inbox: Inbox;
const deliveries: RawDelivery[] = [];

beforeAll(async () => {
  home = await makeServerHome({ POSTRIDER_RATE_LIMITS: 'off' });
  server = await home.start();
});
afterAll(() => home.remove());

const folders = [fixturesFolder, bounceFixtures, corpusFolder(), bounceCorpus()];
const corpus = new Map(
  folders
    .flatMap((folder) => (folder === null ? [] : readMails(folder)))
    .filter(({ raw }) => raw.length < 100_000)
    .map(({ file, raw }) => [file, raw]),
);

/** A mail as a failure shows it: a file with what was done to it, or a text. */
type Made = { file: string; edits: Edit[] } | { text: string };
const mail: fc.Arbitrary<Made> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ file: fc.constantFrom(...corpus.keys()), edits: someEdits }) },
  { weight: 1, arbitrary: fc.record({ text: madeUpMail }) },
);

const bytesOf = (made: Made): Buffer =>
  'text' in made
    ? whole(Buffer.from(made.text))
    : whole(edited(corpus.get(made.file) ?? Buffer.alloc(0), made.edits));

/** The last line has its end, or the dot after it would not stand alone. */
const whole = (raw: Buffer): Buffer =>
  raw.subarray(-2).toString() === '\r\n' ? raw : Buffer.concat([raw, Buffer.from('\r\n')]);

const isLoop = (raw: Buffer): boolean =>
  (raw.toString('latin1').match(/^received:/gim)?.length ?? 0) > receivedLinesMax;

let tried = 0;
let number = 0;
/** The same bytes twice would be taken for a redelivery, and be one message. */
const numbered = (raw: Buffer): Buffer => Buffer.concat([Buffer.from(`X-Number: ${number++}\r\n`), raw]);

/** Mails at once, each over a connection of its own; a failure closes them all, since what follows on them is anybody's guess. */
const deliverAndRead = async (made: Made[]): Promise<void> => {
  const mails = made
    .map(bytesOf)
    .filter((raw) => !isLoop(raw))
    .map(numbered);
  tried += mails.length;
  while (deliveries.length < mails.length)
    deliveries.push(await openRawDelivery(server.smtpPort, inbox.address, senders[deliveries.length % 2]));
  try {
    await Promise.all(
      mails.map(async (raw, index) =>
        readBack(server.client, (await deliveries[index]?.deliver(raw)) ?? '', raw),
      ),
    );
  } catch (error) {
    closeAll();
    throw error;
  }
};

const closeAll = () => {
  for (const delivery of deliveries.splice(0)) delivery.close();
};

fuzzTest('mail that is mutated or made up is taken, read and kept byte by byte', 'mime', async (seed) => {
  tried = 0;
  inbox = await server.client.inboxes.create({ local_part: `fuzz-${seed}` });
  const mails = fc.array(mail, { minLength: 1, maxLength: atOnceMax, size: 'max' });
  await fc.assert(fc.asyncProperty(mails, deliverAndRead), {
    seed,
    numRuns: casesARound,
    examples: [[[{ text: '' }]]],
    interruptAfterTimeLimit: 20_000,
  });
  closeAll();
  const memoryMb = readMemoryMb(server.pid);
  if (seed % 10 === 1) console.log(`mime: seed ${seed}, the server takes ${memoryMb} MB`);
  expect(memoryMb).toBeLessThan(memoryMbMax);
  return tried;
});
