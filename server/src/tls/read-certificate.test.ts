import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCertificate } from './read-certificate.ts';
import { makeSelfSignedCertificate } from './tls-certificate.ts';

const pair = makeSelfSignedCertificate('mx.example.com', new Date());
let folder = '';
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-certificate-'));
  const other = makeSelfSignedCertificate('mx.example.com', new Date());
  const files = { 'cert.pem': pair.cert, 'key.pem': pair.key, 'other.pem': other.key, 'text.pem': 'not PEM' };
  for (const [name, text] of Object.entries(files)) await writeFile(file(name), text);
});
afterAll(() => rm(folder, { recursive: true }));

test('a pair that belongs together is read as it is', async () => {
  expect(await readCertificate({ certFile: file('cert.pem'), keyFile: file('key.pem') })).toEqual(pair);
});

test.each([
  [
    'missing.pem',
    'key.pem',
    /^POSTRIDER_TLS_CERT: .*missing\.pem cannot be read\. Set it to a file .*Cause: ENOENT/,
  ],
  [
    'cert.pem',
    'missing.pem',
    /^POSTRIDER_TLS_KEY: .*missing\.pem cannot be read\. Set it to a file .*Cause: ENOENT/,
  ],
  ['text.pem', 'key.pem', /^POSTRIDER_TLS_CERT: .*text\.pem holds no certificate in PEM/],
  ['cert.pem', 'text.pem', /^POSTRIDER_TLS_KEY: .*text\.pem holds no private key in PEM/],
  [
    'cert.pem',
    'other.pem',
    /other\.pem is not the key of .*cert\.pem\. Set POSTRIDER_TLS_CERT and POSTRIDER_TLS_KEY/,
  ],
])('%s with %s is refused with the setting and the way out', async (cert, key, message) => {
  const read = readCertificate({ certFile: file(cert), keyFile: file(key) });
  await expect(read).rejects.toMatchObject({ name: 'StartError', message: expect.stringMatching(message) });
});
