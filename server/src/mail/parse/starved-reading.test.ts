import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';

/** Reads mails of all sizes and checks signed ones, beside threads that never rest, and prints what came of each. */
const program = `
import { Worker } from 'node:worker_threads';
import { mailFrom, signedZone, signMail } from '${new URL('../../../../testkit/src/mail/signed-mail.ts', import.meta.url)}';
import { createMailAuthenticator } from '${new URL('../authenticate/authenticate-mail.ts', import.meta.url)}';
import { createMailParser } from '${new URL('./parse-pool.ts', import.meta.url)}';

const from = 'a@example.com';
const parser = createMailParser();
const authenticator = createMailAuthenticator({ resolve: signedZone, parser, hostname: 'mx.test', timeoutMs: 300_000 });
const signed = await Promise.all(
  Array.from({ length: 10 }, () => signMail(mailFrom(from) + 'word \\r\\n'.repeat(20_000), 'example.com')),
);
const mails = Array.from({ length: 60 }, (_, at) =>
  Buffer.from('Content-Type: text/html\\r\\n\\r\\n<p>' + 'word '.repeat(Math.ceil(1.15 ** at * 20))));
const busy = Array.from({ length: 4 }, () => new Worker('for (;;);', { eval: true }));
console.log('reading');
const [read, checked] = await Promise.all([
  Promise.all(mails.map((raw) => parser.parse(raw))),
  Promise.all(signed.map((raw) => authenticator.authenticate({
    raw: Buffer.from(raw), remoteAddress: '203.0.113.7', helo: null, envelopeFrom: from, from }))),
]);
console.log(JSON.stringify({
  read: read.map((each) => 'failed' in each ? each.failed : (each.text ?? '').startsWith('word')),
  checked: checked.map(({ authentication }) => authentication.dkim + ' ' + authentication.dmarc),
}));
process.exit();`;

const children: ChildProcess[] = [];
const folder = await mkdtemp(join(tmpdir(), 'starved-reading-'));
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

test('mail that is read while the process is stopped and starved keeps its text, and no sender gets a false verdict', async () => {
  const file = join(folder, 'program.mjs');
  await writeFile(file, program);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface(child.stdout);
  const [first] = await once(lines, 'line');
  expect(first).toBe('reading');
  const told = once(lines, 'line') as Promise<[string]>;
  for (let time = 0; time < 2; time += 1) {
    await pause(300);
    child.kill('SIGSTOP');
    await pause(5_000);
    child.kill('SIGCONT');
  }
  const { read, checked } = JSON.parse((await told)[0]);
  expect(read).toEqual(Array.from({ length: 60 }, () => true));
  // DNS is asked by the clock, so that it may have no answer for now. That is not the sender's fault either.
  const others = checked.filter((each: string) => each !== 'pass pass' && !each.includes('temperror'));
  expect(others).toEqual([]);
}, 900_000);
