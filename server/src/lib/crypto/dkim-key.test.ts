import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { dkimRecordOf, makeDkimKey, readDkimKey } from './dkim-key.ts';

test('a new key is read again, and its record has its public part', async () => {
  const { privateKeyPem, publicKeyBase64 } = await makeDkimKey();
  const key = readDkimKey(privateKeyPem);
  expect(key.asymmetricKeyDetails?.modulusLength).toBe(2_048);
  const inDns = dkimRecordOf(publicKeyBase64).replace(/^v=DKIM1; k=rsa; p=/, '');
  const published = createPublicKey({ key: Buffer.from(inDns, 'base64'), format: 'der', type: 'spki' });
  expect(published.equals(createPublicKey(key))).toBe(true);
});

test('each key is another one', async () => {
  const [first, second] = await Promise.all([makeDkimKey(), makeDkimKey()]);
  expect(first.publicKeyBase64).not.toBe(second.publicKeyBase64);
});

test('anything but an RSA key is refused', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  expect(() => readDkimKey(pem)).toThrow('not an RSA key');
  expect(() => readDkimKey('no key')).toThrow();
});
