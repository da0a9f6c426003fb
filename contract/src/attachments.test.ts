import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { issuePaths } from '../test/issue-paths.ts';
import { SendMessage } from './index.ts';

const least = { inbox_id: 'inb_1', to: ['ada@example.com'], subject: 'Hello' };
const file = { filename: 'a.txt', content_base64: 'aGk=' };

describe('attachments', () => {
  const issues = (fields: object) =>
    issuePaths(SendMessage, { ...least, attachments: [{ ...file, ...fields }] });

  it('are up to 100 files with a name and base64', () => {
    expect(issuePaths(SendMessage, { ...least, attachments: Array(100).fill(file) })).toEqual([]);
    expect(issuePaths(SendMessage, { ...least, attachments: Array(101).fill(file) })).toEqual([
      'attachments',
    ]);
    expect(issuePaths(SendMessage, { ...least, attachments: [{}] })).toEqual([
      'attachments.0.filename',
      'attachments.0.content_base64',
    ]);
    expect(issues({ url: 'https://example.com' })).toEqual(['attachments.0.url']);
  });

  it('take every base64 that an encoder makes, also in lines', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const base64 = Buffer.from(bytes).toString('base64');
        expect(issues({ content_base64: base64 })).toEqual([]);
        expect(issues({ content_base64: base64.replace(/(.{76})/g, '$1\r\n') })).toEqual([]);
      }),
    );
  });

  it('refuse what is not base64', () => {
    for (const bad of [
      'aGk',
      'aGk==',
      'a===',
      '====',
      '=',
      'aG-_',
      'aG k',
      'a\0Gk=',
      'data:text/plain;base64,aGk=',
      'aGk=aGk=',
    ]) {
      expect(issues({ content_base64: bad }), bad).toEqual(['attachments.0.content_base64']);
    }
  });

  it('leave their size to the server, which has an error of its own for it, and are quick about it', () => {
    const before = process.threadCpuUsage();
    expect(issues({ content_base64: 'a'.repeat(30_000_000) })).toEqual([]);
    expect(process.threadCpuUsage(before).user / 1e3).toBeLessThan(1_000);
  });

  it('have a media type that cannot break the message', () => {
    for (const good of [
      'text/plain',
      'text/plain; charset=utf-8',
      'application/vnd.api+json',
      'message/rfc822',
      'IMAGE/PNG',
    ]) {
      expect(issues({ content_type: good }), good).toEqual([]);
    }
    for (const bad of [
      '',
      'text',
      'text/',
      '/plain',
      'multipart/mixed',
      'Multipart/Mixed; boundary=a',
      'text/plain charset',
    ]) {
      expect(issues({ content_type: bad }), bad).toContain('attachments.0.content_type');
    }
  });

  it('have a content id without its brackets', () => {
    const parsed = SendMessage.parse({ ...least, attachments: [{ ...file, content_id: '<logo@a>' }] });
    expect(parsed.attachments?.[0]?.content_id).toBe('logo@a');
    expect(issues({ content_id: 'lo go' })).toEqual(['attachments.0.content_id']);
  });
});
