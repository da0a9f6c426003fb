import { createPublicKey } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { makeDkimKey, readDkimKey } from '../../lib/crypto/dkim-key.ts';
import { composeLimits, composeMail, MailComposer, type OutgoingMail } from './compose-mail.ts';
import { UnsafeHeader } from './header-fields.ts';
import { signMail } from './sign-mail.ts';

const mailOf = (more: Partial<OutgoingMail>): OutgoingMail => ({
  from: { name: 'Ada', address: 'ada@example.com' },
  to: ['charles@example.com'],
  subject: 'Größe',
  messageId: '<a@example.com>',
  date: new Date('2026-11-23T08:00:00Z'),
  ...more,
});
const composer = new MailComposer();
afterAll(() => composer.close());

const signer = {
  domain: 'example.com',
  selector: 's',
  key: readDkimKey((await makeDkimKey()).privateKeyPem),
};
const large = composeLimits.largeBytes + 1;
const content = Buffer.from('é'.repeat(large));

test.each<[string, Partial<OutgoingMail>]>([
  ['a text', { text: 'Hello é😀\n'.repeat(large / 5) }],
  ['HTML beside a text', { text: 'small', html: `<p>${'x'.repeat(large)}</p>` }],
  [
    'files, one of them a part of other memory',
    {
      text: 's',
      attachments: [
        { filename: 'a.txt', content },
        { filename: 'b.bin', content: content.subarray(3, 100) },
      ],
    },
  ],
  [
    '7 MB of files',
    { text: 's', attachments: [{ filename: 'c.bin', content: Buffer.alloc(7_000_000, 'c') }] },
  ],
  ['what is small', { text: 'small' }],
])('has the bytes that composing here has, signed or not: %s', async (_name, more) => {
  const mail = mailOf(more);
  const raw = await composer.compose(mail, null);
  expect(raw.equals(await composeMail(mail))).toBe(true);
  const signed = await composer.compose(mail, signer);
  expect(signed.equals(await signMail(raw, signer, mail.date))).toBe(true);
  // The caller still owns what it handed over.
  expect(content.length).toBe(2 * large);
});

test('refuses a header as composing here does, and goes on', async () => {
  const unsafe = mailOf({ text: 'x'.repeat(large), subject: 'a\r\nBcc: b@example.com' });
  await expect(composer.compose(unsafe, null)).rejects.toBeInstanceOf(UnsafeHeader);
  await expect(composer.compose(unsafe, null)).rejects.toThrow(
    'The subject must not contain a line break or NUL.',
  );
  expect((await composer.compose(mailOf({ text: 'x'.repeat(large) }), null)).length).toBeGreaterThan(large);
});

test('goes on after a key that cannot sign', async () => {
  const key = createPublicKey(signer.key);
  for (const size of [1, large])
    await expect(composer.compose(mailOf({ text: 'x'.repeat(size) }), { ...signer, key })).rejects.toThrow();
  expect((await composer.compose(mailOf({ text: 'x'.repeat(large) }), signer)).length).toBeGreaterThan(large);
});
