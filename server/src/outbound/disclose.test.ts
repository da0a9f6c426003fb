import { describe, expect, it } from 'vitest';
import type { Actor } from '../context.ts';
import { disclose, disclosureLine } from './compose.ts';
import type { Outgoing } from './sending.ts';

const outgoing = (fields: Partial<Outgoing>): Outgoing => ({
  recipients: [],
  replyTo: null,
  subject: 'Hello',
  text: null,
  html: null,
  headers: {},
  metadata: {},
  inReplyTo: null,
  references: [],
  threadIndex: null,
  threadId: null,
  attachments: null,
  ...fields,
});

const key: Actor = { kind: 'key', id: 'key_01' };
const person: Actor = { kind: 'person', id: 'usr_01m8js6r05eze93emyfb5temd6', sessionId: null };

describe('a disclosure', () => {
  it('leaves a message alone if there is none', () => {
    const message = outgoing({ text: 'Hello' });
    expect(disclose(message, 'none', key)).toBe(message);
  });

  it('leaves alone what a person wrote, no matter who sends it', () => {
    const message = outgoing({ text: 'Hello' });
    expect(disclose(message, 'footer', person)).toBe(message);
    expect(disclose(message, 'footer', key, person.id)).toBe(message);
    expect(disclose(message, 'footer', person, key.id).text).toContain(disclosureLine);
  });

  it('is a header, whatever header the sender gave', () => {
    const { headers } = disclose(
      outgoing({ headers: { 'x-ai-generated': 'false', 'X-Order': '7' } }),
      'header',
      key,
    );
    expect(headers).toEqual({ 'X-AI-Generated': 'true', 'X-Order': '7' });
  });

  it('is a line under the text and the HTML', () => {
    const { text, html } = disclose(outgoing({ text: 'Hello\n', html: '<p>Hello</p>' }), 'footer', key);
    expect(text).toBe(`Hello\n\n${disclosureLine}\n`);
    expect(html).toMatch(/^<p>Hello<\/p>\n<p style="[^"]+">This message was written by an AI\.<\/p>$/);
  });

  it('is within the body of a whole HTML page', () => {
    const { html, text } = disclose(outgoing({ html: '<html><BODY>Hello</BODY></html>' }), 'footer', key);
    expect(html).toMatch(/^<html><BODY>Hello<p style="[^"]+">[^<]+<\/p>\n<\/BODY><\/html>$/);
    expect(text).toBeNull();
  });

  it('is the text of a message without one', () => {
    expect(disclose(outgoing({}), 'footer', key).text).toBe(`${disclosureLine}\n`);
  });
});
