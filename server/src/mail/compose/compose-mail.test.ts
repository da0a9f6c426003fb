import { isAscii } from 'node:buffer';
import { expectWellFormed } from '@postrider/testkit/mail/well-formed-mail.ts';
import { plainMail } from '@postrider/testkit/smtp/outgoing-mail.ts';
import { simpleParser } from 'mailparser';
import { describe, expect, it } from 'vitest';
import { composeMail, type OutgoingMail } from './compose-mail.ts';
import { UnsafeHeader } from './header-fields.ts';

async function compose(change: Partial<OutgoingMail> = {}): Promise<string> {
  const raw = await composeMail({ ...plainMail, ...change });
  expectWellFormed(raw);
  return raw.toString('utf8');
}

/** The tree of content types, without their parameters. */
async function composeTypes(change: Partial<OutgoingMail>): Promise<string[]> {
  const raw = await compose(change);
  return [...raw.matchAll(/^content-type: ([^;\r\n]+)/gim)].map(([, type]) => type ?? '');
}

const logo = { filename: 'logo.png', content: Buffer.from('png'), contentId: 'logo@x' };
const file = { filename: 'report.pdf', content: Buffer.from('pdf') };
const html = '<p>Hi <img src="cid:logo@x"></p>';

describe('a composed message', () => {
  it('has the fields that RFC 5322 asks for, and the same bytes every time', async () => {
    const raw = await compose();
    expect(raw).toContain('From: Agent <agent@sender.test>\r\nTo: bob@example.test\r\n');
    expect(raw).toContain('Message-ID: <0190-abc@sender.test>\r\n');
    expect(raw).toContain('Date: Fri, 20 Nov 2026 12:34:56 +0000\r\n');
    expect(raw).toContain('MIME-Version: 1.0\r\n');
    expect(raw.endsWith('\r\n\r\nHi Bob\r\n')).toBe(true);
    const rich = { html, attachments: [logo, file] };
    expect(await compose(rich)).toBe(await compose(rich));
  });

  it('nests text, html, inline images and files as MIME has it', async () => {
    expect(await composeTypes({})).toEqual(['text/plain']);
    expect(await composeTypes({ text: null, html })).toEqual(['text/html']);
    expect(await composeTypes({ html })).toEqual(['multipart/alternative', 'text/plain', 'text/html']);
    expect(await composeTypes({ attachments: [file] })).toEqual([
      'multipart/mixed',
      'text/plain',
      'application/pdf',
    ]);
    expect(await composeTypes({ html, attachments: [logo, file] })).toEqual([
      'multipart/mixed',
      'multipart/alternative',
      'text/plain',
      'multipart/related',
      'text/html',
      'image/png',
      'application/pdf',
    ]);
  });

  it('shows an image inline only where the html names it', async () => {
    const shown = await compose({ html, attachments: [logo] });
    expect(shown).toMatch(/Content-Id: <logo@x>/i);
    expect(shown).toContain('Content-Disposition: inline; filename=logo.png');
    const attached = await compose({ html: '<p>Hi</p>', attachments: [logo] });
    expect(attached).toMatch(/Content-Id: <logo@x>/i);
    expect(attached).toContain('Content-Disposition: attachment; filename=logo.png');
    expect(attached).not.toContain('multipart/related');
  });

  it('is ASCII whatever the text, unless an address is UTF-8', async () => {
    const text = `Größe\n${'long '.repeat(500)}\n.\nFrom here\n\0`;
    const raw = await compose({
      subject: 'Grüße 🎉',
      text,
      html: `<p>${text}</p>`,
      from: { name: 'Jürgen', address: 'a@b.test' },
    });
    expect(isAscii(Buffer.from(raw))).toBe(true);
    expect(await compose({ to: ['jürgen@xn--bcher-kva.test'] })).toContain('To: jürgen@bücher.test\r\n');
  });

  it('spells international domains in ASCII beside an ASCII name', async () => {
    expect(await compose({ to: ['bob@bücher.test'] })).toContain('To: bob@xn--bcher-kva.test\r\n');
  });

  it('names files by RFC 2231 and keeps their bytes in base64', async () => {
    const raw = await compose({
      attachments: [{ filename: 'Größe 文書.pdf', content: Buffer.from('\r\n.\r\n\0ü') }],
    });
    expect(raw).toMatch(/filename\*0\*=utf-8''Gr%C3%B6%C3%9Fe/);
    const parsed = await simpleParser(raw);
    expect(parsed.attachments[0]).toMatchObject({
      filename: 'Größe 文書.pdf',
      contentType: 'application/pdf',
    });
    expect(parsed.attachments[0]?.content).toEqual(Buffer.from('\r\n.\r\n\0ü'));
  });

  it('guesses the type of a file by its name and trusts no odd one', async () => {
    const types: [string, string | null, string][] = [
      ['a.png', null, 'image/png'],
      ['a.unknown', null, 'application/octet-stream'],
      ['a.csv', 'text/csv; charset=utf-8', 'text/csv; charset=utf-8'],
      ['a.png', 'image/png; name=evil.exe', 'image/png'],
      ['i.ics', 'text/calendar; method=REQUEST', 'text/calendar; method=REQUEST'],
      [
        'i.ics',
        'text/calendar; charset="utf-8"; Method="cancel"',
        'text/calendar; method=CANCEL; charset=utf-8',
      ],
      ['i.csv', 'text/csv; method=REQUEST', 'text/csv'],
      ['a.txt', 'not a type', 'text/plain'],
      ['a.bin', 'multipart/mixed; boundary=x', 'application/octet-stream'],
      ['a.bin', 'message/partial', 'application/octet-stream'],
    ];
    for (const [filename, contentType, expected] of types) {
      const raw = await compose({ attachments: [{ filename, contentType, content: Buffer.from('x') }] });
      expect(raw, `${filename} ${contentType}`).toContain(`Content-Type: ${expected}; name=${filename}\r\n`);
    }
  });

  it('attaches a message as it is only if no relay could change it', async () => {
    const attach = (content: string) =>
      compose({
        attachments: [{ filename: 'm.eml', contentType: 'message/rfc822', content: Buffer.from(content) }],
      });
    const asItIs = await attach('Subject: x\r\n\r\nhi\r\n');
    expect(asItIs).toContain('Content-Type: message/rfc822');
    expect(asItIs).toContain('\r\n\r\nSubject: x\r\n\r\nhi\r\n');
    for (const content of ['Subject: x\n\nhi\n', 'Subject: ü\r\n\r\n', `X: ${'x'.repeat(999)}\r\n`]) {
      const raw = await attach(content);
      expect(raw).toContain('Content-Type: application/octet-stream');
      expect((await simpleParser(raw)).attachments[0]?.content.toString()).toBe(content);
    }
  });

  it('keeps the first and the newest 49 of many References, and none that a header cannot hold', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `<${index}@x.test>`);
    const parsed = await simpleParser(await compose({ references: ids }));
    expect(parsed.references).toEqual([ids[0], ...ids.slice(11), plainMail.messageId]);
    const odd = [
      '<a b@c>',
      'bare@x.test',
      '<ü@x.test>',
      `<${'x'.repeat(2_000)}@y>`,
      '<a@b>\r\nBcc: x@y',
      '<ok@x.test>',
      '<ok@x.test>',
    ];
    expect(await compose({ references: odd, inReplyTo: '<a@b>\r\nX: y' })).toContain(
      `References: <ok@x.test> ${plainMail.messageId}\r\n`,
    );
    expect(await compose({ references: [], inReplyTo: '<a@b>\r\nX: y' })).not.toMatch(/In-Reply-To|X: y/);
  });

  it('names itself in References, by which an answer is matched where a relay replaces its Message-ID', async () => {
    expect(await compose()).toContain(`References: ${plainMail.messageId}\r\n`);
    const { messageId } = plainMail;
    expect((await simpleParser(await compose({ references: [messageId] }))).references).toBe(messageId);
  });

  it('names no one where there are only blind recipients', async () => {
    expect(await compose({ to: [] })).toContain('To: Undisclosed recipients:;\r\n');
  });

  it('carries the fields of its caller, and says when it is an automatic answer', async () => {
    const headers = {
      'X-Ticket': 'Größe 5',
      'List-Unsubscribe': '<https://example.test/u?x=1>, <mailto:a@b.test>',
    };
    const raw = await compose({
      headers,
      replyTo: [{ name: 'Desk', address: 'desk@sender.test' }],
      autoReplied: true,
    });
    expect(raw).toContain('List-Unsubscribe: <https://example.test/u?x=1>, <mailto:a@b.test>\r\n');
    expect(raw).toContain('Auto-Submitted: auto-replied\r\n');
    expect(raw).toContain('Reply-To: Desk <desk@sender.test>\r\n');
    expect(raw).toContain('X-Ticket: =?UTF-8?B?R3LDtsOfZSA1?=\r\n');
    expect(await compose()).not.toContain('Auto-Submitted');
  });

  it('is text and nothing where there is no body', async () => {
    expect(await compose({ text: null })).toMatch(/Content-Type: text\/plain\r\n\r\n/);
    expect(await compose({ text: '', subject: '' })).not.toMatch(/Subject|undefined/);
  });
});

describe('header injection', () => {
  const hostile = ['x\r\nBcc: eve@evil.test', 'x\nBcc: eve@evil.test', 'x\rBcc: eve@evil.test', 'x\0y'];
  const places: Record<string, (text: string) => Partial<OutgoingMail>> = {
    'the subject': (text) => ({ subject: text }),
    'the name of the sender': (text) => ({ from: { name: text, address: 'a@b.test' } }),
    'the address of the sender': (text) => ({ from: { name: null, address: text } }),
    'an address': (text) => ({ to: [text] }),
    'a name': (text) => ({ cc: [{ name: text, address: 'a@b.test' }] }),
    'reply-to': (text) => ({ replyTo: [text] }),
    'the message id': (text) => ({ messageId: text }),
    'the value of a header': (text) => ({ headers: { 'X-A': text } }),
    'a list header': (text) => ({ headers: { 'List-Id': text } }),
    'the name of a header': (text) => ({ headers: { [text]: 'x' } }),
    'a content type': (text) => ({ attachments: [{ ...file, contentType: text }] }),
    'a content id': (text) => ({ attachments: [{ ...file, contentId: text }] }),
  };
  for (const [place, make] of Object.entries(places))
    it(`by ${place} is refused`, async () => {
      for (const text of hostile)
        await expect(async () => composeMail({ ...plainMail, ...make(text) })).rejects.toThrow(UnsafeHeader);
    });

  it('by a file name is cleaned away', async () => {
    for (const text of hostile) await compose({ attachments: [{ ...file, filename: text }] });
  });

  it('by a header that belongs to the composer is refused', async () => {
    for (const name of ['Bcc', 'bcc', 'From', 'Content-Type', 'Resent-To', 'X:', 'X Y', '', 'Ünal'])
      await expect(async () => composeMail({ ...plainMail, headers: { [name]: 'x' } })).rejects.toThrow(
        UnsafeHeader,
      );
    const polluted = JSON.parse('{"__proto__": "x"}') as Record<string, string>;
    await expect(async () => composeMail({ ...plainMail, headers: polluted })).rejects.toThrow(UnsafeHeader);
  });
});

describe('bodies', () => {
  it('cannot forge a part, whatever boundary they guess', async () => {
    const first = await compose({ html, attachments: [file] });
    const boundary = /boundary="([^"]+)"/.exec(first)?.[1];
    const forged = `--${boundary}\r\nContent-Type: text/plain\r\n\r\nforged`;
    const parsed = await simpleParser(await compose({ text: forged, html, attachments: [file] }));
    expect(parsed.text).toContain('forged');
    expect(parsed.attachments).toHaveLength(1);
  });

  it('that look like a file or a URL are text', async () => {
    const attachments = [{ filename: 'a.txt', content: Buffer.from('/etc/passwd') }];
    const parsed = await simpleParser(await compose({ text: 'file:///etc/passwd', attachments }));
    expect(parsed.text).toBe('file:///etc/passwd');
    expect(parsed.attachments[0]?.content.toString()).toBe('/etc/passwd');
  });
});
