import { describe, expect, it } from 'vitest';
import { type Original, quoteOriginal } from './reply-texts.ts';

const original: Original = {
  from: { name: 'Jürgen <b>', address: 'j@example.test' },
  date: new Date('2026-11-20T12:00:00Z'),
  subject: 'Q3 & more',
  to: ['agent@here.test'],
  cc: [{ name: null, address: 'c@d.test' }],
  text: 'Line one\nLine <two>',
  html: null,
};
const html = '<p>Line <b>one</b></p>';
const block = [
  '---------- Forwarded message ---------',
  'From: Jürgen <b> <j@example.test>',
  'Date: Fri, 20 Nov 2026 12:00:00 +0000',
  'Subject: Q3 & more',
  'To: agent@here.test',
  'Cc: c@d.test',
].join('\n');

describe('the body of a forward', () => {
  it('is the note, a header block and the original', () => {
    expect(quoteOriginal({ text: 'See below.' }, original)).toEqual({
      text: `See below.\n\n${block}\n\nLine one\nLine <two>`,
      html: null,
    });
  });

  it('does without a note', () => {
    expect(quoteOriginal({}, original)).toEqual({ text: `${block}\n\nLine one\nLine <two>`, html: null });
  });

  it('embeds the html of the original as it is, below an escaped block', () => {
    const body = quoteOriginal({ text: 'See <below>' }, { ...original, html });
    expect(body.text).toContain(block);
    expect(body.html).toContain('<div>See &lt;below&gt;</div>');
    expect(body.html).toContain('From: Jürgen &lt;b&gt; &lt;j@example.test&gt;<br>');
    expect(body.html?.endsWith(`\n${html}`)).toBe(true);
  });

  it('escapes a text-only original below a note in html', () => {
    const body = quoteOriginal({ html: '<p>Hi</p>' }, original);
    expect(body.text).toBeNull();
    expect(body.html).toMatch(/^<p>Hi<\/p>\n/);
    expect(body.html?.endsWith('<div>Line one<br>\nLine &lt;two&gt;</div>')).toBe(true);
  });

  it('has both forms when the note has both', () => {
    const body = quoteOriginal({ text: 'Hi', html: '<p>Hi</p>' }, { ...original, html });
    expect(body.text).toMatch(/^Hi\n\n-----/);
    expect(body.html).toMatch(/^<p>Hi<\/p>\n<div>-----/);
  });

  it('is html alone when there is no text to quote', () => {
    expect(quoteOriginal({ text: 'Hi' }, { ...original, text: null, html }).text).toBeNull();
  });

  it('shows a message without sender, date or bodies', () => {
    const empty = { ...original, from: null, date: null, subject: '', to: [], cc: [], text: null };
    expect(quoteOriginal({}, empty)).toEqual({ text: '---------- Forwarded message ---------', html: null });
  });

  it('lets no name or subject add a line to the block', () => {
    const sly = {
      ...original,
      subject: 'x\r\nFrom: boss@bank.test',
      from: { name: 'a\nTo: b', address: 'c@d.test' },
    };
    const { text } = quoteOriginal({}, sly);
    expect(text?.match(/^From: /gm)).toHaveLength(1);
    expect(text?.match(/^To: /gm)).toHaveLength(1);
  });
});
