import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInboundSmtp } from '@postrider/testkit/smtp/inbound-smtp.ts';
import { afterEach, expect, test } from 'vitest';
import { ServedCertificates } from '../../../tls/served-certificates.ts';
import { makeSelfSignedCertificate, type TlsCertificate } from '../../../tls/tls-certificate.ts';
import { examineStartTls } from './examine-smtp.ts';

const hostname = 'mx.acme.com';
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
const start = async (tls: TlsCertificate | null) => {
  const smtp = await startInboundSmtp({ settings: { tls: tls && new ServedCertificates(tls) } });
  ends.push(() => smtp.close());
  return {
    smtp: { host: '127.0.0.1', port: smtp.port, hostname },
    tls: { files: null },
  };
};
const write = async ({ cert, key }: TlsCertificate) => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-tls-'));
  ends.push(() => rm(folder, { recursive: true }));
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  await writeFile(files.certFile, cert);
  await writeFile(files.keyFile, key);
  return { tls: { files } };
};

test('a self-signed certificate is noted with the settings of a better one', async () => {
  const smtp = await start(makeSelfSignedCertificate(hostname, new Date()));
  expect(await examineStartTls(smtp)).toMatchObject([
    {
      state: 'note',
      text: expect.stringContaining('self-signed'),
      remedy: expect.stringContaining(hostname),
    },
  ]);
});

test('a certificate that expired is a problem', async () => {
  const smtp = await start(makeSelfSignedCertificate(hostname, new Date('2001-01-01')));
  expect(await examineStartTls(smtp)).toMatchObject([
    { state: 'problem', text: expect.stringContaining('expired') },
  ]);
});

test('a server that still presents the certificate before the renewal is a problem', async () => {
  const [old, renewed] = [1, 2].map(() => makeSelfSignedCertificate(hostname, new Date())) as [
    TlsCertificate,
    TlsCertificate,
  ];
  const smtp = await start(old);
  expect(await examineStartTls({ ...smtp, ...(await write(renewed)) })).toMatchObject([
    { state: 'problem', remedy: expect.stringContaining('reads a new file within 10 s') },
  ]);
  expect(await examineStartTls({ ...smtp, ...(await write(old)) })).toMatchObject([{ state: 'note' }]);
});

test('a server without STARTTLS is a problem, and one that does not answer is an error', async () => {
  const smtp = await start(null);
  expect(await examineStartTls(smtp)).toMatchObject([{ state: 'problem' }]);
  await ends.pop()?.();
  await expect(examineStartTls(smtp)).rejects.toThrow('ECONNREFUSED');
  expect(await examineStartTls({ ...smtp, smtp: { ...smtp.smtp, port: 0 } })).toEqual([]);
});
