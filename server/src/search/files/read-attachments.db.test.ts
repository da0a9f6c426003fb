import { makeDocx } from '@postrider/testkit/files/office-files.ts';
import { textPdf } from '@postrider/testkit/files/pdf-files.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Message } from 'postrider';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Deps } from '../../deps.ts';
import { countFiles } from '../search-status.ts';
import { type ClaimedMessage, claimFiles, filesAreDue, type QueuedFile, queueFiles } from './file-queue.ts';
import { FileReader } from './file-reader.ts';
import { readClaimed, startFileWorker } from './file-worker.ts';

const clock = createMovingClock();
const aMinuteMs = 61_000;
/** So much that a busy machine reads all files of a message in one turn. */
const longMs = 60_000;
let server: TestServer;
let deps: Deps;
let reader: FileReader;
const { signal: running } = new AbortController();

beforeAll(async () => {
  // Without the role of a worker, files are read when a test says so.
  server = await startTestServer({ roles: ['api', 'smtp'], clock });
  deps = server.server.deps;
});
beforeEach(() => {
  reader = new FileReader();
});
afterEach(async () => {
  reader.close();
  await server.rows('delete from attachment_texts');
});
afterAll(() => server.stop());

const files = {
  pdf: { filename: 'Invoice 419.PDF', content: textPdf('Invoice 419') },
  docx: { filename: 'Plan.docx', content: makeDocx('The plan') },
  image: { filename: 'logo.png', content: Buffer.from('PNG') },
};

/** Delivers a mail with attachments and queues them, as the indexer does. */
const deliver = async (
  attachments: { filename: string; content: Buffer | string }[],
  owner: TestWorkspace = server,
) => {
  const inbox = await server.inbox(owner);
  await sendMail(server.smtpPort, {
    from: 'ada@example.com',
    to: inbox.address,
    subject: 's',
    text: 't',
    attachments,
  });
  const message = await eventually(
    'the mail',
    async () => (await owner.client.messages.list({ inbox_id: inbox.id })).messages[0],
  );
  await queue(message);
  return message;
};

const queue = async ({ id }: Pick<Message, 'id'>) => {
  await server.rows('delete from search_pending where message_id = $1', [id]);
  return queueFiles(
    deps,
    await server.rows<QueuedFile>('select * from attachments where message_id = $1', [id]),
  );
};

const readTexts = ({ id }: Pick<Message, 'id'>) =>
  server.rows<{ filename: string; status: string; text: string | null; tries: number }>(
    `select filename, status, text, tries from attachment_texts t join attachments a on a.id = t.attachment_id
     where t.message_id = $1 order by position`,
    [id],
  );

const isIndexedAgain = async ({ id }: Pick<Message, 'id'>) =>
  (await server.rows('select from search_pending where message_id = $1', [id])).length === 1;

/** How many files the metrics say that were read and had text. */
const filesDone = async (): Promise<number> =>
  (await deps.metrics.filesRead.get()).values.find(({ labels }) => labels.result === 'done')?.value ?? 0;

const claim = async (after = ''): Promise<ClaimedMessage> => {
  const claimed = await claimFiles(deps, after);
  if (!claimed) throw new Error('No file is due.');
  return claimed;
};

test('the text of each file of a supported format is stored, and the message is indexed again', async () => {
  const message = await deliver([
    files.pdf,
    files.image,
    files.docx,
    { filename: 'empty.txt', content: ' ' },
  ]);
  const claimed = await claim();
  expect(claimed.files.map(({ filename }) => filename)).toEqual([
    'Invoice 419.PDF',
    'Plan.docx',
    'empty.txt',
  ]);
  expect(await claimFiles(deps, '')).toBeNull();
  await readClaimed(deps, reader, claimed, running, longMs);
  expect(await readTexts(message)).toEqual([
    { filename: 'Invoice 419.PDF', status: 'done', text: 'Invoice 419', tries: 1 },
    { filename: 'Plan.docx', status: 'done', text: 'The plan', tries: 1 },
    { filename: 'empty.txt', status: 'empty', text: null, tries: 1 },
  ]);
  expect(await isIndexedAgain(message)).toBe(true);
  expect(await countFiles(deps)).toEqual({ done: 2, empty: 1 });
  clock.advance(aMinuteMs);
  expect(await claimFiles(deps, '')).toBeNull();
});

test('a file is queued once, and one that is too large is never read', async () => {
  const message = await deliver([files.pdf, files.docx]);
  await server.rows(`delete from attachment_texts where attachment_id in
    (select id from attachments where filename = 'Plan.docx')`);
  await server.rows(
    `update attachments set size_bytes = 10485761 where message_id = $1 and filename = 'Plan.docx'`,
    [message.id],
  );
  expect(await queue(message)).toBe(1);
  expect(await queue(message)).toBe(0);
  expect((await claim()).files).toMatchObject([{ filename: 'Invoice 419.PDF' }]);
  expect(await readTexts(message)).toMatchObject([{ status: 'pending' }, { status: 'too_large', tries: 0 }]);
});

test('an attachment of a sent message is read as well', async () => {
  const inbox = await server.inbox();
  const attachments = [{ filename: 'Plan.docx', content: files.docx.content }];
  const message = await server.client.messages.send({
    inbox_id: inbox.id,
    to: ['success@simulator.postrider.test'],
    subject: 's',
    text: 't',
    attachments,
  });
  await queue(message);
  await readClaimed(deps, reader, await claim(), running);
  expect(await readTexts(message)).toMatchObject([{ status: 'done', text: 'The plan' }]);
});

test('workspaces take turns, and the newest message of each comes first', async () => {
  const other = await server.workspace();
  const mine = [await deliver([files.pdf]), await deliver([files.pdf])];
  const theirs = await deliver([files.pdf], other);
  const order: string[] = [];
  for (let after = ''; order.length < 3; ) {
    const { message_id, workspace_id } = await claim(after);
    order.push(message_id);
    after = workspace_id;
  }
  expect(order.indexOf(mine[1]!.id)).toBeLessThan(order.indexOf(mine[0]!.id));
  expect(order.indexOf(theirs.id)).toBeLessThan(2);
});

test('a workspace that rests gets no turn while another one has files', async () => {
  const other = await server.workspace();
  const mine = await deliver([files.pdf]);
  const theirs = await deliver([files.pdf], other);
  expect((await claimFiles(deps, '', [server.id]))?.message_id).toBe(theirs.id);
  expect((await claimFiles(deps, other.id, [server.id]))?.message_id).toBe(mine.id);
  expect(await claimFiles(deps, '', [server.id])).toBeNull();
});

test('files that a killed process had claimed are read after their lease, and given up after the second time', async () => {
  const message = await deliver([files.pdf]);
  const lost = await claim();
  clock.advance(aMinuteMs);
  const second = await claim();
  expect(second.files).toMatchObject([{ tries: 2 }]);
  // The first process was only slow: its result is too late.
  await readClaimed(deps, reader, lost, running);
  expect(await readTexts(message)).toMatchObject([{ status: 'pending', tries: 2 }]);
  clock.advance(aMinuteMs);
  await readClaimed(deps, reader, await claim(), running);
  expect(await readTexts(message)).toMatchObject([{ status: 'failed', text: null }]);
});

test('a file that takes too much processor time is given up, and others of its message are read', async () => {
  const slow = new FileReader({ processorMs: 1 });
  const message = await deliver([files.pdf]);
  await readClaimed(deps, slow, await claim(), running);
  slow.close();
  expect(await readTexts(message)).toMatchObject([{ status: 'timeout', tries: 1 }]);
  expect(await isIndexedAgain(message)).toBe(false);
});

test('the turn of a message ends after a time, and its other files have the next ones', async () => {
  const message = await deliver([files.pdf, files.docx, { filename: 'notes.txt', content: 'Notes' }]);
  const statuses = async () => (await readTexts(message)).map(({ status }) => status);
  await readClaimed(deps, reader, await claim(), running, 0);
  expect(await statuses()).toEqual(['done', 'pending', 'pending']);
  expect(await isIndexedAgain(message)).toBe(true);
  await readClaimed(deps, reader, await claim(), running, 0);
  expect(await statuses()).toEqual(['done', 'done', 'pending']);
  await readClaimed(deps, reader, await claim(), running, 0);
  expect(await readTexts(message)).toMatchObject([{ tries: 1 }, { tries: 1 }, { status: 'done', tries: 1 }]);
});

test('the end of the process while a file is read does not count as a try', async () => {
  const message = await deliver([files.pdf, files.docx]);
  const claimed = await claim();
  const stopping = new AbortController();
  stopping.abort();
  reader.close();
  await readClaimed(deps, reader, claimed, stopping.signal);
  expect(await readTexts(message)).toMatchObject([
    { status: 'pending', tries: 0 },
    { status: 'pending', tries: 0 },
  ]);
  expect((await claim()).files).toHaveLength(2);
});

test('files whose reader does not start are left as they were', async () => {
  const message = await deliver([files.pdf]);
  reader.close();
  await expect(readClaimed(deps, reader, await claim(), running)).rejects.toThrow('closed');
  expect(await readTexts(message)).toMatchObject([{ status: 'pending', tries: 0 }]);
  expect(await claimFiles(deps, '')).toBeNull();
});

test('a message that is deleted while its file is read leaves nothing behind', async () => {
  const message = await deliver([files.pdf]);
  const claimed = await claim();
  await server.client.messages.delete(message.id);
  await readClaimed(deps, reader, claimed, running);
  expect(await readTexts(message)).toEqual([]);
  expect(await isIndexedAgain(message)).toBe(false);
});

test('a message whose original is lost costs its files their texts', async () => {
  const message = await deliver([files.pdf]);
  await server.rows('delete from originals where message_id = $1', [message.id]);
  await readClaimed(deps, reader, await claim(), running);
  expect(await readTexts(message)).toMatchObject([{ status: 'failed' }]);
});

test('the worker reads what is queued, and takes up what an ended process left', async () => {
  const left = await deliver([files.pdf]);
  await claim();
  clock.advance(aMinuteMs);
  const doneBefore = await filesDone();
  const stop = startFileWorker(deps);
  const isDone = async (message: Message) =>
    (await readTexts(message)).every(({ status }) => status === 'done');
  await eventually('the text of the file that was left', () => isDone(left));
  const next = await deliver([files.docx]);
  filesAreDue(deps, server.id);
  await eventually('the text of the next file', () => isDone(next));
  expect(await isIndexedAgain(next)).toBe(true);
  expect(await filesDone()).toBe(doneBefore + 2);
  await stop();
});
