import { describe, expect, it } from 'vitest';
import { findLink } from './find-link.ts';

const text = (body_text: string) => ({ body_text, body_html: null });
const html = (body_html: string) => ({ body_text: null, body_html });

const footer = `<p><a href="https://example.com/">Example</a> <a href="https://example.com/unsubscribe?confirm=1&amp;t=${'a'.repeat(32)}">Unsubscribe</a>
  <a href="https://x.com/example">X</a> <a href="https://example.com/help/verify">Help</a> <img src="https://example.com/verify.png"></p>`;

describe('the link of a mail', () => {
  it.each([
    [
      'Please verify your address: https://example.com/verify?token=abc.',
      'https://example.com/verify?token=abc',
    ],
    [
      'Sign in with this magic link:\n\nhttps://example.com/l/Zx81kk\n\nRegards',
      'https://example.com/l/Zx81kk',
    ],
    [
      'See https://example.com/blog/post and then <https://example.com/auth/confirm/8f3b>',
      'https://example.com/auth/confirm/8f3b',
    ],
    ['Reset your password (https://example.com/r/1) or ignore this', 'https://example.com/r/1'],
    ['[Confirm](https://en.example.org/wiki/Confirm_(act))', 'https://en.example.org/wiki/Confirm_(act)'],
    ['Bitte bestätigen Sie Ihre Adresse:\nhttps://example.de/k/93', 'https://example.de/k/93'],
    ['请点击链接验证您的邮箱：https://example.cn/u/93。', 'https://example.cn/u/93'],
    ['Confirm: http://example.com/plain then https://example.com/confirm', 'https://example.com/confirm'],
  ])('%j leads to %s', (body, url) => {
    expect(findLink(text(body))).toBe(url);
  });

  it.each([
    ['Read our blog: https://example.com/blog'],
    ['To unsubscribe, confirm here: https://example.com/unsubscribe?u=1'],
    ['Logo: https://example.com/verify.png'],
    ['Verify it at http://example.com/verify'],
    ['Sign in to your account and have a look.'],
    ['https://'],
    [''],
  ])('%j leads nowhere', (body) => {
    expect(findLink(text(body))).toBeNull();
  });

  it('is the one that is clicked, wherever its address leads', () => {
    const tracked = `https://click.mail.example.net/ls/click?upn=${'u'.repeat(60)}`;
    const body = `<a href="https://example.com/">Example</a><p>Hi!</p><a class=b href='${tracked}&amp;x=1'><b>Confirm</b> my email</a>${footer}`;
    expect(findLink(html(body))).toBe(`${tracked}&x=1`);
  });

  it('is the one that the text before it announces', () => {
    const secret = `https://example.com/u/${'a1'.repeat(12)}`;
    const body = `<p>Click <a href="https://example.com/start">here</a> to read on.</p><p>To verify your address go <a href="${secret}">here</a>.</p>${footer}`;
    expect(findLink(html(body))).toBe(secret);
  });

  it('is none of those that every mail has', () => {
    expect(findLink(html(`<p>News of the week, and how to sign in with style.</p>${footer}`))).toBeNull();
    expect(
      findLink(
        html(
          '<a href="mailto:verify@example.com">Verify</a><a href="javascript:verify()">Verify</a><a>Verify</a>',
        ),
      ),
    ).toBeNull();
  });

  it('is found in HTML first, and in the text when the HTML has none', () => {
    const both = {
      body_html: '<a href="https://example.com/verify/html">x</a>',
      body_text: 'https://example.com/verify/text',
    };
    expect(findLink(both)).toBe('https://example.com/verify/html');
    expect(findLink({ ...both, body_html: '<p>nothing</p>' })).toBe('https://example.com/verify/text');
  });

  it('may be chosen by an expression or a function, among all addresses', () => {
    const body = text('https://a.example/1 http://localhost:3000/x?invite=7 https://c.example/unsubscribe');
    const global = /invite=/g;
    expect([findLink(body, { match: global }), findLink(body, { match: global })]).toEqual(
      Array(2).fill('http://localhost:3000/x?invite=7'),
    );
    expect(findLink(body, { match: (url) => new URL(url).hostname === 'c.example' })).toBe(
      'https://c.example/unsubscribe',
    );
    expect(findLink(body, { match: /nowhere/ })).toBeNull();
    expect(() =>
      findLink(body, {
        match: () => {
          throw new RangeError('mine');
        },
      }),
    ).toThrow('mine');
  });

  it('is looked for in time that grows with the length alone', () => {
    for (const piece of [
      '<a>x',
      '<a href="https://a.b/c">x',
      '<a href="https://x',
      'https://a.b ',
      `https://a.b/${')'.repeat(1_900)} `,
      `https://a.b/${'.'.repeat(1_900)}x `,
      '<',
      '<!--',
      '<style>',
      '(((',
      '&#1',
    ]) {
      const body = piece.repeat(Math.ceil(5_000_000 / piece.length));
      const before = process.threadCpuUsage();
      findLink({ body_html: body, body_text: body });
      const { user, system } = process.threadCpuUsage(before);
      expect([piece, user + system < 10e6]).toEqual([piece, true]);
    }
  });
});
