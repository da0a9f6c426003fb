import { SendMessage } from '@postrider/contract';
import { describe, expect, test } from 'vitest';
import { hashRequest } from './idempotency.ts';

const inbox_id = 'inb_01m7yyvjvve8jaq5s0hvhdb6px';
const file = { filename: 'a.txt', content_base64: Buffer.from('0123456789'.repeat(20)).toString('base64') };
const plain = {
  inbox_id,
  to: ['Ada <ada@example.com>'],
  subject: 'Hello',
  text: 'Hi',
  headers: { 'X-A': '1', 'X-B': '2' },
  metadata: { a: '1', b: '2' },
  attachments: [file],
  client_id: 'one',
};
const hashOf = (change: object = {}) =>
  hashRequest('send', inbox_id, SendMessage.parse({ ...plain, ...change })).toString('hex');

describe('the hash of a request', () => {
  test.each([
    ['fields in another order', Object.fromEntries(Object.entries(plain).reverse())],
    ['headers in another order', { headers: { 'X-B': '2', 'X-A': '1' } }],
    ['metadata in another order', { metadata: { b: '2', a: '1' } }],
    ['one recipient without a list', { to: 'Ada <ada@example.com>' }],
    ['an address in another spelling', { to: ['  "Ada"  <ada@EXAMPLE.com> '] }],
    ['empty lists', { cc: [], bcc: [], references: [] }],
    [
      'base64 in lines',
      { attachments: [{ ...file, content_base64: file.content_base64.replace(/(.{76})/g, '$1\r\n') }] },
    ],
    ['another client_id', { client_id: 'two' }],
  ])('is the same for %s', (_, change) => {
    expect(hashOf(change)).toBe(hashOf());
  });

  test.each([
    ['another text', { text: 'Hi!' }],
    ['a text less', { text: undefined }],
    ['another recipient', { to: ['ada@example.org'] }],
    ['another name', { to: ['A. Lovelace <ada@example.com>'] }],
    ['the recipient in Cc, too', { cc: ['ada@example.com'] }],
    ['other bytes', { attachments: [{ ...file, content_base64: 'aGk=' }] }],
    ['another file name', { attachments: [{ ...file, filename: 'b.txt' }] }],
    ['no file', { attachments: [] }],
    ['a header more', { headers: { 'X-A': '1', 'X-B': '2', 'X-C': '3' } }],
    ['other metadata', { metadata: { a: '2', b: '1' } }],
  ])('is another one for %s', (_, change) => {
    expect(hashOf(change)).not.toBe(hashOf());
  });

  test('is another one for another action or target, and the same for a default that is given', () => {
    const hash = (...of: Parameters<typeof hashRequest>) => hashRequest(...of).toString('hex');
    expect(hash('reply', 'msg_1', {})).not.toBe(hash('forward', 'msg_1', {}));
    expect(hash('reply', 'msg_1', {})).not.toBe(hash('reply', 'msg_2', {}));
    expect(hash('forward', 'msg_1', { include_attachments: true })).toBe(hash('forward', 'msg_1', {}));
    expect(hash('forward', 'msg_1', { include_attachments: false })).not.toBe(hash('forward', 'msg_1', {}));
    expect(hash('reply', 'msg_1', { force: true })).toBe(hash('reply', 'msg_1', {}));
  });
});
