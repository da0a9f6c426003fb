import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { createAuthority } from '@postrider/testkit/acme/certificate-authority.ts';
import { crypto } from 'acme-client';
import { expect, test } from 'vitest';
import { makeSelfSignedCertificate } from '../tls-certificate.ts';
import { identify } from './renewal-info.ts';

test('a certificate is named by the key that signed it and its serial number', async () => {
  const authority = createAuthority();
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const [, request] = await crypto.createCsr({ altNames: ['mail.example'] }, privateKey);
  const der = Buffer.from(crypto.getPemBodyAsB64u(request), 'base64url');
  const lifetime = { notBefore: new Date(), notAfter: new Date(Date.now() + 3_600_000) };
  const cert = authority.issue(der, lifetime);
  const serial = Buffer.from(new X509Certificate(cert).serialNumber, 'hex');
  const name = `${authority.keyId.toString('base64url')}.${serial.toString('base64url')}`;
  expect(identify(cert)).toBe(name);
  expect(identify(cert + authority.root)).toBe(name);
});

test('a certificate that names no key has no name', () => {
  expect(identify(makeSelfSignedCertificate('mail.example', new Date()).cert)).toBeNull();
});
