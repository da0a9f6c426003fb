import { isAscii } from 'node:buffer';
import { makeDns } from '@postrider/testkit/mail/signed-mail.ts';
import { plainMail } from '@postrider/testkit/smtp/outgoing-mail.ts';
import fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { describe, expect, it } from 'vitest';
import { dkimRecordOf, makeDkimKey, readDkimKey } from '../../lib/crypto/dkim-key.ts';
import { composeMail, type OutgoingMail } from './compose-mail.ts';
import { type DkimSigner, signMail } from './sign-mail.ts';

const { privateKeyPem, publicKeyBase64 } = await makeDkimKey();
const signer: DkimSigner = { domain: 'sender.test', selector: 'pr1-0a1b2c', key: readDkimKey(privateKeyPem) };
const at = new Date('2026-11-20T12:34:56.789Z');

/** The verdict of another implementation, for a key in DNS. */
async function verify(signed: Buffer): Promise<string | undefined> {
  const { results } = await dkimVerify(signed, {
    resolver: makeDns({ 'TXT pr1-0a1b2c._domainkey.sender.test': [dkimRecordOf(publicKeyBase64)] }),
  });
  expect(results).toHaveLength(1);
  return results[0]?.status.result;
}

async function composeSigned(change: Partial<OutgoingMail> = {}): Promise<Buffer> {
  return signMail(await composeMail({ ...plainMail, ...change }), signer, at);
}

/** The lines of the signature. */
function signatureOf(signed: Buffer): string[] {
  const text = signed.toString('latin1');
  return text.slice(0, text.search(/\r\n(?![ ])/)).split('\r\n');
}

function tagOf(signed: Buffer, tag: string): string | undefined {
  const tags = signatureOf(signed).join('').replace(/ /g, '').replace('DKIM-Signature:', '').split(';');
  return tags.find((text) => text.startsWith(`${tag}=`))?.slice(tag.length + 1);
}

const listFields = {
  'List-Unsubscribe': '<https://sender.test/u/1>, <mailto:u@sender.test>',
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  'List-Id': 'News <news.sender.test>',
};

describe('the signature of a mail', () => {
  it('stands before it, in short lines of ASCII, and is the same each time', async () => {
    const mail = { to: ['jürgen@bücher.test'], headers: listFields };
    const raw = await composeMail({ ...plainMail, ...mail });
    const signed = await composeSigned(mail);
    expect(signed.subarray(-raw.length).equals(raw)).toBe(true);
    const lines = signatureOf(signed);
    expect(isAscii(Buffer.from(lines.join('')))).toBe(true);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(78);
    expect(tagOf(signed, 't')).toBe('1795178096');
    expect(tagOf(signed, 'c')).toBe('relaxed/relaxed');
    expect(tagOf(signed, 'l')).toBeUndefined();
    expect(await composeSigned(mail)).toEqual(signed);
    expect(await verify(signed)).toBe('pass');
  });

  it('covers what a reader sees and how it is read, and names From, To and Subject once more', async () => {
    const signed = await composeSigned({
      cc: ['c@example.test'],
      replyTo: ['r@example.test'],
      inReplyTo: '<1@example.test>',
      references: ['<0@example.test>', '<1@example.test>'],
      autoReplied: true,
      headers: { ...listFields, 'X-Own': 'not covered' },
    });
    expect(tagOf(signed, 'h')?.split(':').toSorted()).toEqual(
      [
        ...['from', 'from', 'to', 'to', 'subject', 'subject', 'cc', 'reply-to', 'date', 'message-id'],
        ...['in-reply-to', 'references', 'mime-version', 'content-type', 'content-transfer-encoding'],
        ...['auto-submitted', 'list-id', 'list-unsubscribe', 'list-unsubscribe-post'],
      ].toSorted(),
    );
    expect(await verify(signed)).toBe('pass');
  });

  it('is broken by another From, To or Subject, and by any change of what it covers', async () => {
    const signed = (await composeSigned({ subject: '', headers: listFields })).toString();
    const changes: [string, string][] = [
      ['From: ', 'From: <evil@other.test>\r\nFrom: '],
      ['To: ', 'To: evil@other.test\r\nTo: '],
      ['Date: ', 'Subject: You won\r\nDate: '],
      ['One-Click', 'Two-Clicks'],
      ['sender.test/u/1', 'sender.test/u/2'],
      ['text/plain', 'text/html'],
      ['Hi Bob', 'Hi Eve'],
      ['Hi Bob\r\n', 'Hi Bob\r\nPS\r\n'],
      ['t=1795178096', 't=1795178097'],
    ];
    expect(await verify(Buffer.from(signed))).toBe('pass');
    for (const [from, to] of changes) {
      const headerAt = from.startsWith('t=') ? 0 : signed.indexOf('==\r\n');
      const changed = signed.slice(0, headerAt) + signed.slice(headerAt).replace(from, to);
      expect(changed, from).not.toBe(signed);
      expect(await verify(Buffer.from(changed)), to).not.toBe('pass');
    }
  });

  it('survives what relays do: other fields, other folding, other white space', async () => {
    const signed = (await composeSigned({ text: 'a b \n\n' })).toString();
    const relayed = `Received: by relay.test; now\r\n${signed}\r\n\r\n`
      .replace('Subject: Hello', 'SUBJECT:\t Hello ')
      .replace('\r\na b', '\r\na  \t b');
    expect(await verify(Buffer.from(relayed))).toBe('pass');
  });

  it('covers each of several fields with the same name', async () => {
    const signed = await composeSigned({ headers: { 'List-Post': '<mailto:a@b.test>', 'list-post': 'NO' } });
    expect(tagOf(signed, 'h')).toContain('list-post:list-post');
    expect(await verify(signed)).toBe('pass');
    const swapped = signed.toString().replace(/^(list-post): NO/im, '$1: YES');
    expect(await verify(Buffer.from(swapped))).not.toBe('pass');
  });

  it('folds a domain that is as long as DNS allows onto its own line', async () => {
    const domain = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.test`;
    const signed = await signMail(await composeMail(plainMail), { ...signer, domain }, at);
    expect(signatureOf(signed)).toContain(` d=${domain};`);
  });
});

const header =
  'From: a@sender.test\r\nTo: b@x.test\r\nSubject: s\r\nDate: Fri, 20 Nov 2026 12:34:56 +0000\r\n';

describe('a verifier accepts the signature', () => {
  const bodies = [
    '',
    '\r\n',
    '\r\n\r\n\r\n',
    ' \t\r\n \r\n',
    ' ',
    'x',
    'x ',
    'x\r\n \t',
    '\tx \t y \r\n\r\nz',
    '.',
    '\r\r\n',
  ];
  it.each(bodies)('of a body that is %j', async (body) => {
    const raw = Buffer.from(`${header}Message-ID: <1@sender.test>\r\n\r\n${body}`);
    expect(await verify(await signMail(raw, signer, at))).toBe('pass');
  });

  it('of a mail without a body, not even an empty line', async () => {
    const signed = await signMail(Buffer.from(header), signer, at);
    expect(tagOf(signed, 'bh')).toBe('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=');
    expect(await verify(Buffer.concat([signed, Buffer.from('\r\n')]))).toBe('pass');
  });

  it('of 10 MB of lines that end in spaces', async () => {
    const raw = Buffer.from(`${header}\r\n${'a line  of words \t\r\n'.repeat(500_000)}`);
    expect(await verify(await signMail(raw, signer, at))).toBe('pass');
  });

  it('of fields with odd white space, folding and bytes', async () => {
    const odd = [
      'From:a@sender.test',
      'TO : b@x.test',
      'Subject: \t two  words \r\n\t \r\n folded\t',
      'Cc:',
      'References: <1@x>\r\n\t<2@x>\r\n   <3@x> ',
      'Reply-To: \u00a0jürgen@bücher.test\u00a0',
    ];
    const raw = Buffer.from(`${odd.join('\r\n')}\r\n\r\nbody\r\n`);
    expect(await verify(await signMail(raw, signer, at))).toBe('pass');
  });

  it('of any body of words, white space and lines', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(' ', '\t', '\r\n', 'a', 'ü', '.', '=', '\0', 'long'.repeat(3_000)), {
          maxLength: 60,
        }),
        async (pieces) => {
          const raw = Buffer.from(`${header}\r\n${pieces.join('')}`);
          expect(await verify(await signMail(raw, signer, at))).toBe('pass');
        },
      ),
    ));

  const text = fc.string({ unit: 'grapheme', maxLength: 400 }).map((value) => value.replace(/\p{Cc}/gu, ' '));
  it('of any composed mail', () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({
          subject: text,
          text: fc.option(fc.array(text).map((lines) => lines.join('\n'))),
          html: fc.option(fc.array(text).map((lines) => lines.join('\r\n'))),
          to: fc.subarray([
            'bob@example.test',
            'jürgen@bücher.test',
            '"two  words"@example.test',
            '用户@例え.test',
          ]),
          cc: fc.subarray(['cc@example.test', 'c.c@example.test']),
          headers: fc.dictionary(fc.constantFrom('List-Id', 'List-Help', 'X-Tag', 'list-id'), text),
          attachments: fc.array(
            fc.record({
              filename: text.map((name) => `a${name}`.slice(0, 60)),
              content: fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
              contentType: fc.constantFrom(null, 'text/plain', 'message/rfc822'),
            }),
            { maxLength: 2 },
          ),
        }),
        async (mail) => {
          expect(await verify(await composeSigned(mail))).toBe('pass');
        },
      ),
    ));
});
