import { describe, expect, it } from 'vitest';
import { disclose, disclosureLine } from './disclose.ts';
import type { Outgoing } from './outbound-record.ts';

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
  threadId: null,
  clientId: null,
  attachments: null,
  ...fields,
});

describe('a disclosure', () => {
  it('leaves a message alone if there is none', () => {
    const message = outgoing({ text: 'Hello' });
    expect(disclose(message, 'none')).toBe(message);
  });

  it('is a header, whatever header the sender gave', () => {
    const { headers } = disclose(
      outgoing({ headers: { 'x-ai-generated': 'false', 'X-Order': '7' } }),
      'header',
    );
    expect(headers).toEqual({ 'X-AI-Generated': 'true', 'X-Order': '7' });
  });

  it('is a line under the text and the HTML', () => {
    const { text, html } = disclose(outgoing({ text: 'Hello\n', html: '<p>Hello</p>' }), 'footer');
    expect(text).toBe(`Hello\n\n${disclosureLine}\n`);
    expect(html).toBe(`<p>Hello</p>\n<p>${disclosureLine}</p>`);
  });

  it('is within the body of a whole HTML page', () => {
    const { html, text } = disclose(outgoing({ html: '<html><BODY>Hello</BODY></html>' }), 'footer');
    expect(html).toBe(`<html><BODY>Hello<p>${disclosureLine}</p>\n</BODY></html>`);
    expect(text).toBeNull();
  });

  it('is the text of a message without one', () => {
    expect(disclose(outgoing({}), 'footer').text).toBe(`${disclosureLine}\n`);
  });
});
