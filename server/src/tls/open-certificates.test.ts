import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchFiles } from './open-certificates.ts';
import { ServedCertificates } from './served-certificates.ts';
import { makeSelfSignedCertificate, type TlsCertificate } from './tls-certificate.ts';

const make = () => makeSelfSignedCertificate('mx.example', new Date());
const lookAgainMs = 20;
let folder = '';
let lines: { level: number; msg: string; err?: { message: string } }[] = [];
let certificates: ServedCertificates;
let stop = async () => {};
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
const errors = () => lines.filter(({ level }) => level >= 50);
const write = (name: string, text: string) => writeFile(join(folder, name), text);
const isServed = ({ cert }: TlsCertificate) =>
  eventually('the certificate to be served', async () => certificates.find().cert === cert);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-tls-'));
  lines = [];
  const first = make();
  certificates = new ServedCertificates(first);
  await write('cert.pem', first.cert);
  await write('key.pem', first.key);
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  stop = watchFiles(files, certificates, { log, lookAgainMs });
});
afterEach(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

test('a renewed pair is served once both files are there', async () => {
  const renewed = make();
  const before = certificates.find().cert;
  await write('cert.pem', renewed.cert);
  await eventually('the pair that does not fit to be logged', async () => errors().length > 0);
  expect(certificates.find().cert).toBe(before);
  await write('key.pem', renewed.key);
  await isServed(renewed);
  expect(lines.at(-1)?.msg).toContain('presented from now on');
});

test('files that cannot be used are logged once, each time that they become so', async () => {
  const before = certificates.find().cert;
  await write('key.pem', 'half a ke');
  await eventually('the failure to be logged', async () => errors().length > 0);
  await rm(join(folder, 'cert.pem'));
  await eventually('the other failure to be logged', async () => errors().length > 1);
  expect(certificates.find().cert).toBe(before);
  const repaired = make();
  await write('cert.pem', repaired.cert);
  await write('key.pem', repaired.key);
  await isServed(repaired);
  expect(errors().map(({ err }) => err?.message)).toEqual([
    expect.stringContaining('holds no private key'),
    expect.stringContaining('cannot be read'),
  ]);
});

test('a link that leads to other files counts as a change', async () => {
  const renewed = make();
  await write('cert-2.pem', renewed.cert);
  await write('key-2.pem', renewed.key);
  for (const name of ['cert', 'key']) {
    await symlink(join(folder, `${name}-2.pem`), join(folder, `${name}.link`));
    await rename(join(folder, `${name}.link`), join(folder, `${name}.pem`));
  }
  await isServed(renewed);
});
