/* The program of the SDK, as a process, at a real server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { startWebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import type { Inbox } from 'postrider';
import { unwrap } from 'postrider/webhooks';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

const program = fileURLToPath(new URL('../../../sdk/src/program/main.ts', import.meta.url));
let server: TestServer;
let inbox: Inbox;

beforeAll(async () => {
  server = await startTestServer();
  inbox = await server.inbox();
});
afterAll(() => server.stop());

const start = (args: string[], env: Record<string, string> = {}): ChildProcess => {
  const child = spawn(process.execPath, [program, ...args], {
    env: {
      PATH: process.env.PATH,
      POSTRIDER_API_KEY: server.key,
      POSTRIDER_BASE_URL: `${server.url}/v1`,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

/** Runs a command to its end, with a text on its standard input. */
const run = async (
  args: string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
) => {
  const child = start(args, env);
  child.stdin?.end(input);
  const [out, problem] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')]);
  return { code: child.exitCode, out, problem };
};

const receive = (name: string) => server.client.inboxes.create({ local_part: server.freshName(name) });

test('creates and lists inboxes', async () => {
  const name = server.freshName('shell');
  const { out } = await run(['inboxes', 'create', name]);
  const [address, id] = out.trim().split('  ');
  expect(await server.client.inboxes.get(id ?? '')).toMatchObject({ address, local_part: name });
  expect((await run(['inboxes', 'create', name])).out).toBe(out);
  const listed = (await run(['inboxes', '--json'])).out.trim().split('\n');
  expect(listed.map((line) => JSON.parse(line).address)).toContain(address);
});

test('sends a text from its standard input, and waits for mail and for a code', async () => {
  const other = await receive('reader');
  const waiting = run(['wait', '--inbox', other.id, '--subject', 'Lunch']);
  // A wait begins with its call, so the mail goes out until it is seen.
  const sent = await run(
    ['send', '--inbox', inbox.address, '--to', other.address, '--subject', 'Code', '--json'],
    {
      input: 'Your code is 481516.',
    },
  );
  const { id } = JSON.parse(sent.out);
  expect(await server.client.messages.get(id)).toMatchObject({
    subject: 'Code',
    body_text: 'Your code is 481516.',
  });
  const code = run(['wait', '--inbox', other.id, '--code']);
  const send = (subject: string, body: string) =>
    run(['send', '--inbox', inbox.id, '--to', other.address, '--subject', subject, '--text', body]);
  const both = Promise.all([waiting, code]);
  const [mail, found] = await repeatUntil(both, async () => {
    await send('Lunch?', 'Noodles \u001b[2J\u009b2J at noon?');
    await send('Sign in', 'Your code is 481516.');
  });
  expect(mail.out).toContain(`From: ${inbox.address}`);
  // Nothing of a mail commands the terminal.
  expect(mail.out).toMatch(/Noodles .*at noon\?/);
  expect(mail.out).not.toMatch(/(?![\n\t])\p{Cc}/u);
  expect(found.out.trim()).toBe('481516');
});

test('hands events to a local URL, signed, again after a failure, and continues where it stopped', async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  const cursor = join(await mkdtemp(join(tmpdir(), 'listen-')), 'cursor');
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const listen = () =>
    start(['listen', '--forward-to', receiver.url, '--events', 'message.received', '--cursor', cursor], {
      POSTRIDER_WEBHOOK_SECRET: secret,
    });
  const other = await receive('listened');
  const send = (subject: string) =>
    server.client.messages.send({ inbox_id: inbox.id, to: [other.address], subject, text: 'Hello' });

  const first = listen();
  await once(first.stderr!, 'data');
  receiver.next(500);
  await send('One');
  const [refused, taken] = await receiver.waitFor(2);
  expect(refused?.event.id).toBe(taken?.event.id);
  const event = await unwrap(taken!.body, taken!.headers, secret);
  expect(event).toMatchObject({ event: 'message.received', message: { subject: 'One' } });
  await expect.poll(() => readFile(cursor, 'utf8')).toContain(event.id);
  first.kill('SIGKILL');
  await once(first, 'exit');

  await send('Two');
  receiver.reset();
  listen();
  const [next] = await receiver.waitFor(1);
  expect(next?.event).toMatchObject({ message: { subject: 'Two' } });
});

test('begins to hand over events after the one that is named, unless it continues', async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  const cursor = join(await mkdtemp(join(tmpdir(), 'listen-')), 'cursor');
  const other = await receive('begun');
  for (const subject of ['One', 'Two', 'Three'])
    await server.client.messages.send({ inbox_id: inbox.id, to: [other.address], subject, text: 'Hello' });
  const listed = () => server.client.events.list({ inbox_id: other.id, events: ['message.received'] });
  await expect.poll(async () => (await listed()).events.length).toBe(3);
  const { events } = await listed();
  const listen = (...args: string[]) =>
    start(['listen', '--forward-to', receiver.url, '--inbox', other.id, '--cursor', cursor, ...args]);
  const first = listen('--after', events[0]?.id ?? '');
  const ids = (await receiver.waitFor(2)).map(({ event }) => event.id);
  expect(ids).toEqual([events[1]?.id, events[2]?.id]);
  await expect.poll(() => readFile(cursor, 'utf8')).toContain(ids[1]);
  first.kill('SIGKILL');
  await once(first, 'exit');

  receiver.reset();
  listen('--after', 'beginning');
  await server.client.messages.send({
    inbox_id: inbox.id,
    to: [other.address],
    subject: 'Four',
    text: 'Hello',
  });
  const [next] = await receiver.waitFor(1);
  expect(next?.event).toMatchObject({ message: { subject: 'Four' } });
});

test('says what is wrong, in a sentence and with the usage', async () => {
  const problems = async (...args: string[]) => {
    const { code, out, problem } = await run(args);
    expect([code, out]).toEqual([1, '']);
    return problem;
  };
  expect(await problems('sent')).toContain('There is no command sent.');
  expect(await problems('send', '--subject', 'x')).toContain('--to is missing.');
  expect(await problems('listen', '--forward-to', 'localhost:3000')).toContain('--forward-to takes a URL');
  expect(await problems('listen', '--forward-to', 'http://127.0.0.1:9', '--after', 'evt_none')).toContain(
    'after',
  );
  expect(await problems('send', '--too', 'x')).toContain("'--too'");
  expect(await problems('wait', '--inbox', inbox.id, '--timeout', 'soon')).toContain(
    '--timeout takes a number of seconds',
  );
  expect(await problems('wait', '--inbox', 'nobody@postrider.test')).toContain('There is no inbox nobody@');
  const { problem } = await run(['inboxes'], { env: { POSTRIDER_API_KEY: 'pr_live_wrong' } });
  expect(problem).toContain('invalid_token');
  expect(problem).not.toContain('\n    at ');
});

/** Does something over and over until a promise resolves. */
const repeatUntil = async <Result>(done: Promise<Result>, repeat: () => Promise<void>): Promise<Result> => {
  let isDone = false;
  const marked = done.finally(() => {
    isDone = true;
  });
  while (!isDone) await repeat();
  return marked;
};
