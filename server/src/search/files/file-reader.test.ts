import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostileFiles } from '@postrider/testkit/files/hostile-files.ts';
import { hostilePdfs } from '@postrider/testkit/files/hostile-pdfs.ts';
import { makeDocx } from '@postrider/testkit/files/office-files.ts';
import { textPdf } from '@postrider/testkit/files/pdf-files.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { measureStall, stallPassesMax } from '@postrider/testkit/servers/measure-stall.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { FileReader, type ReaderLimits, readerPermissions } from './file-reader.ts';
import { fileLimits } from './file-text.ts';

const open: FileReader[] = [];
afterAll(() => {
  for (const reader of open) reader.close();
});
function start(limits: Partial<ReaderLimits> = {}): FileReader {
  const reader = new FileReader(limits);
  open.push(reader);
  return reader;
}

const ordinary = makeDocx('Invoice 419');
const expected = { status: 'done', text: 'Invoice 419' };
const endless = hostilePdfs['forms that show two others, 30 deep']!.make();
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('one process reads many files, however many come at once', async () => {
  const reader = start({ idleMs: 3_600_000 });
  expect(reader.pid).toBeNull();
  const files = Array.from({ length: 20 }, (_, i) => makeDocx(`number ${i}`));
  const texts = await Promise.all(files.map((file) => reader.read('office', file)));
  expect(texts.map(({ text }) => text)).toEqual(files.map((_, i) => `number ${i}`));
  const pid = reader.pid ?? 0;
  expect(await reader.read('pdf', textPdf('A page'))).toEqual({ status: 'done', text: 'A page' });
  expect(reader.pid).toBe(pid);
});

test('the process ends when there are no more files, and another one reads those that come later', async () => {
  const reader = start({ idleMs: 50 });
  await reader.read('office', ordinary);
  const pid = reader.pid ?? 0;
  await eventually('the end of the process', async () => !isAlive(pid) && reader.pid === null);
  expect(await reader.read('office', ordinary)).toEqual(expected);
});

test('a process that ends by itself costs one file its text', async () => {
  const reader = start();
  await reader.read('office', ordinary);
  const reading = reader.read('pdf', endless);
  process.kill(reader.pid ?? 0, 'SIGKILL');
  expect(await reading).toEqual({ status: 'failed', text: '' });
  expect(await reader.read('office', ordinary)).toEqual(expected);
});

test('closing ends the process and the file that is being read', async () => {
  const reader = start();
  await reader.read('office', ordinary);
  const pid = reader.pid ?? 0;
  const reading = reader.read('pdf', endless);
  await sleep(100);
  reader.close();
  await expect(reading).rejects.toThrow('closed');
  await expect(reader.read('office', ordinary)).rejects.toThrow('closed');
  await eventually('the end of the process', async () => !isAlive(pid));
});

test.runIf(process.platform === 'linux')('the process knows no secrets of the server', async () => {
  const reader = start();
  await reader.read('office', ordinary);
  const environment = readFileSync(`/proc/${reader.pid}/environ`, 'utf8');
  expect(environment.split('\0').filter((line) => !/^(?:NODE_CHANNEL_\w+=|$)/.test(line))).toEqual([]);
});

test('the process ends with a server that is killed, also while it reads a file without end', async () => {
  const program = `
    import { FileReader } from '${new URL('./file-reader.ts', import.meta.url)}';
    const reader = new FileReader({ processorMs: 1_000 });
    await reader.read('text', Buffer.from('x'));
    void reader.read('pdf', Buffer.from('${endless.toString('base64')}', 'base64'));
    console.log(reader.pid);
    setInterval(() => {}, 1_000);`;
  const server = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  const pid = Number(line);
  expect(isAlive(pid)).toBe(true);
  await sleep(200);
  server.kill('SIGKILL');
  await eventually('the end of the process', async () => !isAlive(pid));
});

describe('a hostile file costs its own text only', () => {
  const patient = start({ processorMs: 20_000 });
  const hasty = start({ processorMs: 1_500 });

  test.each(Object.entries(hostileFiles))('%s', async (_name, { kind, make, results }) => {
    const reader = results.includes('timeout') ? hasty : patient;
    const bytes = make();
    await reader.read('office', ordinary);
    const memoryBefore = process.memoryUsage.rss();
    const { value, stallPasses } = await measureStall(() => reader.read(kind, bytes));
    expect(results).toContain(value.status);
    expect(value.text !== '').toBe(value.status === 'done');
    expect(value.text.length).toBeLessThanOrEqual(fileLimits.textLengthMax);
    expect(stallPasses).toBeLessThan(stallPassesMax);
    expect(process.memoryUsage.rss() - memoryBefore).toBeLessThan(150 * 1_048_576);
    expect(await reader.read('office', ordinary)).toEqual(expected);
  });
});

test('the process can read code, and no other file', () => {
  const read = (path: string) => {
    const program = `try { require('node:fs').readFileSync(${JSON.stringify(path)}); console.log('read') } catch (error) { console.log(error.code) }`;
    const args = [...readerPermissions(), '--input-type=commonjs', '--eval', program];
    return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout.trim();
  };
  expect(read(join(import.meta.dirname, 'reader-process.ts'))).toBe('read');
  for (const path of ['/etc/hosts', '/proc/self/environ', join(import.meta.dirname, '../../../../README.md')])
    expect(read(path)).toBe('ERR_ACCESS_DENIED');
});
