import { describe, expect, it } from 'vitest';
import { issuePaths } from '../test/issue-paths.ts';
import { CreateDraft, ForwardMessage, SendMessage } from './index.ts';

const least = { inbox_id: 'inb_1', to: ['ada@example.com'], subject: 'Hello' };
const file = { filename: 'a.txt', content_base64: 'aGk=' };
const addresses = (count: number) => Array.from({ length: count }, (_, index) => `a${index}@example.com`);

describe('SendMessage', () => {
  it('needs an inbox, a recipient and a subject, and no more', () => {
    expect(SendMessage.parse(least)).toEqual(least);
    expect(issuePaths(SendMessage, {})).toEqual(['inbox_id', 'to', 'subject']);
    expect(issuePaths(SendMessage, { ...least, to: [] })).toEqual(['to']);
    expect(SendMessage.parse({ ...least, to: 'ada@example.com' }).to).toEqual(['ada@example.com']);
    expect(issuePaths(SendMessage, { ...least, to: 7 })).toEqual(['to']);
    expect(issuePaths(SendMessage, { ...least, subject: null, text: null })).toEqual(['subject', 'text']);
  });

  it('takes any text for an inbox, since an unknown one is a 404', () => {
    for (const inbox_id of ['', 'nonsense', '\0', 'x'.repeat(5_000)])
      expect(issuePaths(SendMessage, { ...least, inbox_id })).toEqual([]);
    expect(issuePaths(SendMessage, { ...least, inbox_id: 7 })).toEqual(['inbox_id']);
  });

  it('allows 50 recipients in To, Cc and Bcc together', () => {
    const spread = (bcc: number) => ({ ...least, to: addresses(20), cc: addresses(20), bcc: addresses(bcc) });
    expect(issuePaths(SendMessage, spread(10))).toEqual([]);
    expect(issuePaths(SendMessage, spread(11))).toEqual(['to']);
    expect(issuePaths(SendMessage, { ...least, to: addresses(51) })).toContain('to');
    expect(issuePaths(CreateDraft, { inbox_id: 'inb_1', to: addresses(30), cc: addresses(21) })).toEqual([
      'to',
    ]);
    expect(issuePaths(ForwardMessage, { to: addresses(30), bcc: addresses(21) })).toEqual(['to']);
  });

  it('refuses a million of anything without looking at each', () => {
    const before = process.threadCpuUsage();
    for (const field of ['to', 'cc', 'bcc', 'references', 'attachments']) {
      expect(issuePaths(SendMessage, { ...least, [field]: Array(1_000_000).fill('a') })).toEqual([field]);
    }
    expect(process.threadCpuUsage(before).user / 1e3).toBeLessThan(1_000);
  });

  it('refuses a hundred thousand headers without looking at each', () => {
    const headers = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`X-${i}`, 7]));
    expect(issuePaths(SendMessage, { ...least, headers })).toEqual(['headers']);
  });

  it('allows 998 characters of subject, counted as people do', () => {
    expect(issuePaths(SendMessage, { ...least, subject: 'é'.repeat(998) })).toEqual([]);
    expect(issuePaths(SendMessage, { ...least, subject: '😀'.repeat(998) })).toEqual([]);
    expect(issuePaths(SendMessage, { ...least, subject: '😀'.repeat(999) })).toEqual(['subject']);
    expect(issuePaths(SendMessage, { ...least, subject: 'a'.repeat(999) })).toEqual(['subject']);
    expect(issuePaths(SendMessage, { ...least, subject: '' })).toEqual([]);
  });

  it('allows 5 MB of text and of HTML, counted in bytes', () => {
    const mb = 1_048_576;
    for (const field of ['text', 'html']) {
      expect(issuePaths(SendMessage, { ...least, [field]: 'a'.repeat(5 * mb) })).toEqual([]);
      expect(issuePaths(SendMessage, { ...least, [field]: 'a'.repeat(5 * mb + 1) })).toEqual([field]);
      expect(issuePaths(SendMessage, { ...least, [field]: 'é'.repeat(2.5 * mb + 1) })).toEqual([field]);
      expect(issuePaths(SendMessage, { ...least, [field]: '用'.repeat(Math.floor((5 * mb) / 3)) })).toEqual(
        [],
      );
    }
  });

  it('takes NUL and half characters out of bodies, and keeps the rest', () => {
    const parsed = SendMessage.parse({
      ...least,
      subject: 'cut \ud83d',
      text: 'a\0b\r\n\tc \udc00',
      html: '<p>\0</p>',
    });
    expect(parsed).toMatchObject({ subject: 'cut \ufffd', text: 'ab\r\n\tc \ufffd', html: '<p></p>' });
  });

  it('refuses line breaks and NUL in everything that becomes a header or an address', () => {
    for (const bad of ['\r', '\n', '\r\nBcc: eve@example.com', '\0']) {
      expect(issuePaths(SendMessage, { ...least, subject: `Hello${bad}` })).toEqual(['subject']);
      expect(issuePaths(SendMessage, { ...least, to: [`ada@example.com${bad}`] })).toEqual(['to.0']);
      expect(
        issuePaths(SendMessage, { ...least, cc: ['b@example.com', `Ada${bad} <ada@example.com>`] }),
      ).toEqual(['cc.1']);
      expect(issuePaths(SendMessage, { ...least, bcc: [`${bad}ada@example.com`] })).toEqual(['bcc.0']);
      expect(issuePaths(SendMessage, { ...least, reply_to: `ada@example.com${bad}` })).toEqual(['reply_to']);
      expect(issuePaths(SendMessage, { ...least, in_reply_to: `<a@b>${bad}` })).toContain('in_reply_to');
      expect(issuePaths(SendMessage, { ...least, references: [`<a@b>${bad}`] })).toContain('references.0');
      expect(issuePaths(SendMessage, { ...least, headers: { 'X-A': `1${bad}` } })).toEqual(['headers.X-A']);
      expect(issuePaths(SendMessage, { ...least, headers: { [`X-A${bad}`]: '1' } })).toHaveLength(1);
      expect(issuePaths(SendMessage, { ...least, client_id: `a${bad}` })).toEqual(['client_id']);
      expect(issuePaths(SendMessage, { ...least, attachments: [{ ...file, filename: `a${bad}` }] })).toEqual([
        'attachments.0.filename',
      ]);
      expect(
        issuePaths(SendMessage, { ...least, attachments: [{ ...file, content_type: `text/plain${bad}` }] }),
      ).toContain('attachments.0.content_type');
      expect(
        issuePaths(SendMessage, { ...least, attachments: [{ ...file, content_id: `logo${bad}` }] }),
      ).toContain('attachments.0.content_id');
    }
  });

  it('takes X- and List- headers, 25 of them, but none that a provider obeys', () => {
    const named = (name: string) => issuePaths(SendMessage, { ...least, headers: { [name]: '1' } });
    for (const name of ['X-Order', 'x-order-17', 'List-Unsubscribe', 'LIST-ID', 'X-SESSION'])
      expect(named(name)).toEqual([]);
    const forbidden = [
      'X-SES-CONFIGURATION-SET',
      'x-smtpapi',
      'X-Mailgun-Tag',
      'X-PM-Tag',
      'X-MC-Tags',
      'X-MSYS-API',
      'X-Postrider-Id',
    ];
    for (const name of [
      ...forbidden,
      'Bcc',
      'Subject',
      'X',
      'X-',
      'X Order',
      'X-Ä',
      'X-A:',
      'DKIM-Signature',
      '',
    ]) {
      expect(named(name), name).toHaveLength(1);
    }
    const many = (count: number) =>
      Object.fromEntries(addresses(count).map((_, index) => [`X-${index}`, '1']));
    expect(issuePaths(SendMessage, { ...least, headers: many(25) })).toEqual([]);
    expect(issuePaths(SendMessage, { ...least, headers: many(26) })).toEqual(['headers']);
    expect(issuePaths(SendMessage, { ...least, headers: { 'X-A': '1', 'x-a': '2' } })).toEqual([
      'headers.x-a',
    ]);
    expect(issuePaths(SendMessage, { ...least, headers: { 'X-A': 1 } })).toEqual(['headers.X-A']);
  });

  it('adds missing brackets to Message-IDs', () => {
    const parsed = SendMessage.parse({ ...least, in_reply_to: 'a@b', references: ['<c@d>', 'e@f'] });
    expect(parsed).toMatchObject({ in_reply_to: '<a@b>', references: ['<c@d>', '<e@f>'] });
    for (const bad of ['', '<>', '<a@b', 'a@b>', '<a@b> <c@d>', 'a b', '<<a@b>>']) {
      expect(issuePaths(SendMessage, { ...least, in_reply_to: bad }), bad).toContain('in_reply_to');
    }
    expect(issuePaths(SendMessage, { ...least, references: Array(50).fill('<a@b>') })).toEqual([]);
    expect(issuePaths(SendMessage, { ...least, references: Array(51).fill('<a@b>') })).toEqual([
      'references',
    ]);
  });

  it('allows a client_id of 1 to 255 characters, without control characters', () => {
    for (const bad of ['\t', '\u001b', '\u007f', '\u0085'])
      expect(issuePaths(SendMessage, { ...least, client_id: `a${bad}b` })).toEqual(['client_id']);
    expect(issuePaths(SendMessage, { ...least, client_id: 'é'.repeat(255) })).toEqual([]);
    expect(issuePaths(SendMessage, { ...least, client_id: '' })).toEqual(['client_id']);
    expect(issuePaths(SendMessage, { ...least, client_id: 'a'.repeat(256) })).toEqual(['client_id']);
  });
});
