import { findLinkWithTexts } from 'postrider/secrets';
import { describe, expect, test } from 'vitest';
import { judgeLink } from './link-doubt.ts';

const why = (url: string, texts: string[], proven: string | null = null) =>
  judgeLink({ url, texts }, proven)?.why ?? null;
const evil = 'https://evil.example/login?t=0123456789abcdef0123';

describe('a link of a mail', () => {
  test.each([
    'https://bank.example/login',
    'HTTP://WWW.BANK.EXAMPLE',
    'bank.example',
    'www.bank.example/confirm',
    'Sign in at bank.example',
    'BANK.COM',
    'bank.co.uk',
    'b\u200bank.example',
    'bank\u3002example',
    'раypal.com',
    'https://evil.example@bank.example/',
    'https://bank.example@evil.example/',
    'https://evil.example.bank.example/',
    'https://192.0.2.7/login',
    'xn--bcher-kva.example',
    'bücher.example',
  ])('is doubted if it shows %s and leads elsewhere', (text) => {
    expect(why(evil, [text])).toBe('shows_another');
  });

  test.each([
    'Sign in',
    'Confirm your email',
    'Confirm ada@bank.example',
    'evil.example',
    'https://www.evil.example/login',
    'https://app.evil.example/',
    'Read report.pdf',
    'Sign in.Then continue',
    'Version 2.0',
    'Say "ok", e.g. here',
    '',
  ])('is not doubted if it shows %j', (text) => {
    expect(why(evil, [text])).toBeNull();
  });

  test('is doubted if one of several texts shows another host', () => {
    expect(why(evil, ['Sign in', 'bank.example'])).toBe('shows_another');
  });

  test.each([
    ['https://evil.co.uk/login', 'bank.co.uk'],
    ['https://evil.com.br/login', 'bank.com.br'],
    ['https://evil.github.io/login', 'bank.github.io'],
    ['https://bank.example.evil.example/login', 'bank.example'],
    ['https://192.0.2.8/login', '192.0.2.7'],
  ])('%s is not the place of %s', (url, text) => {
    expect(why(url, [`https://${text}/`])).toBe('shows_another');
  });

  test('that counts clicks is doubted unless the sender is proven for what is shown', () => {
    const counted = 'https://u1.ct.sendgrid.net/ls/click?upn=0123456789abcdef0123';
    expect(why(counted, ['https://app.bank.example/login'])).toBe('shows_another');
    expect(why(counted, ['https://app.bank.example/login'], 'evil.example')).toBe('shows_another');
    expect(why(counted, ['https://app.bank.example/login'], 'bank.example')).toBeNull();
    expect(why(counted, ['Sign in'])).toBeNull();
  });

  test('with a user name before its host is doubted, whoever sent it', () => {
    expect(why('https://bank.example@evil.example/login', ['Sign in'], 'evil.example')).toBe('user_name');
    expect(why('https://bank.example:443@evil.example/login', [])).toBe('user_name');
  });

  test('is doubted if its host has letters of two scripts that look alike', () => {
    for (const host of ['раypal.com', 'аррӏе.com', 'gооgle.com'])
      expect([host, why(new URL(`https://${host}/login`).href, ['Sign in'])]).toEqual([host, 'lookalike']);
    for (const host of ['bücher.de', '例え.jp', 'почта.рф', 'пример.com'])
      expect([host, why(new URL(`https://${host}/login`).href, ['Sign in'])]).toEqual([host, null]);
  });

  test('shows the text of its picture', () => {
    const body_html = `<p>Please sign in</p><a href="${evil}"><img src="b.png" alt="https://bank.example/login"></a>`;
    const link = findLinkWithTexts({ body_html, body_text: null });
    expect(link).toEqual({ url: evil, texts: ['https://bank.example/login'] });
  });
});
