import { expect, test } from 'vitest';
import { ServedCertificates } from './served-certificates.ts';
import { makeSelfSignedCertificate } from './tls-certificate.ts';

const make = (hostname: string) => makeSelfSignedCertificate(hostname, new Date());
const subjects = (certificates: ServedCertificates, ...names: (string | null)[]) =>
  certificates.find(...names).x509.subject;

test('a client gets the certificate of the name that it asks for, then that of the port, then the first', () => {
  const certificates = new ServedCertificates(make('first.example'));
  certificates.replace([make('mail.example'), make('mx.example')]);
  expect(subjects(certificates, 'MX.example', 'mail.example')).toBe('CN=mx.example');
  expect(subjects(certificates, 'other.example', 'mx.example')).toBe('CN=mx.example');
  expect(subjects(certificates, null, 'mx.example')).toBe('CN=mx.example');
  expect(subjects(certificates, 'other.example', null)).toBe('CN=mail.example');
  expect(subjects(certificates)).toBe('CN=mail.example');
  for (const odd of ['', '\0', 'mx.example\0', '*', '.', 'mx.example '.repeat(100)])
    expect(subjects(certificates, odd)).toBe('CN=mail.example');
});

test('a pair that does not fit is refused, and the ones before are kept', () => {
  const certificates = new ServedCertificates(make('mail.example'));
  const before = certificates.find();
  let replaced = 0;
  const stop = certificates.onReplaced(() => {
    replaced += 1;
  });
  const { cert } = make('mail.example');
  expect(() => certificates.replace([{ cert, key: make('mail.example').key }])).toThrow(
    /key values mismatch/,
  );
  expect(certificates.find()).toBe(before);
  expect(replaced).toBe(0);
  certificates.replace([make('mail.example')]);
  stop();
  certificates.replace([make('mail.example')]);
  expect(replaced).toBe(1);
});
