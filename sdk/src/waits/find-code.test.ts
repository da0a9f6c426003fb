import { describe, expect, it } from 'vitest';
import { findCode } from './find-code.ts';

const mail = (body_text: string | null, subject = 'Hello', body_html: string | null = null) => ({
  subject,
  body_text,
  extracted_text: null,
  body_html,
});

describe('the code of a mail', () => {
  it.each([
    ['your verification code is: 482913. It expires in 10 minutes.', '482913'],
    ['Your code is 1234', '1234'],
    ['482913 is your Example verification code.', '482913'],
    ['Use 48291 as your login code', '48291'],
    [
      'Verification code:\n\n   482 913\n\nDo not share it. © 2026 Example Inc., 94107 San Francisco',
      '482913',
    ],
    [
      'Enter this one-time passcode to sign in:\n\n482-913\n\nIf it was not you, call +1 415 555 2671.',
      '482-913',
    ],
    ['OTP: 0042', '0042'],
    ['Your PIN is 20391', '20391'],
    ['Your Google verification code is G-482913', 'G-482913'],
    ['Confirmation code: ABC-123', 'ABC-123'],
    ['Enter the code WDJB-MJHT on your device', 'WDJB-MJHT'],
    ['Your security code: X7K9Q2', 'X7K9Q2'],
    ['Your verification code is QWXZPL', 'QWXZPL'],
    ['Your code: 4 8 2 9 1 3', '482913'],
    ['Your code is 2031.', '2031'],
    ['Your code:\n\n2026\n\nIt is valid until 2026-11-20 at 10:45.', '2026'],
    ['Order #20391 is waiting. Your pickup code is 7731.', '7731'],
    ['Order 20391 of 1999 EUR. Verification code 482913', '482913'],
    ['You asked for a code on 20.11.2026 at 10:45:12 from 203.0.113.17. The code is 918273.', '918273'],
    [
      'Invoice 88812 for $4500.00. To pay it, confirm with the code 551200, valid for 3600 seconds.',
      '551200',
    ],
    ['https://example.com/verify/12345678?code=9999 is the link; or type the code 314159', '314159'],
    ['Ihr Bestätigungscode lautet 482913 und ist 15 Minuten gültig.', '482913'],
    ['Ihr Einmalkennwort:\n\n991827\n\nExample GmbH, 10115 Berlin', '991827'],
    ['Votre code de vérification est 482913.', '482913'],
    ['Su código de verificación es 482913', '482913'],
    ['Seu código é 482913. Não o compartilhe.', '482913'],
    ['Il tuo codice di verifica è 482913', '482913'],
    ['Je verificatiecode is 482913', '482913'],
    ['Din engångskod är 482913', '482913'],
    ['Twój kod weryfikacyjny: 482913', '482913'],
    ['Ваш код подтверждения: 482913', '482913'],
    ['您的验证码是482913，5分钟内有效。', '482913'],
    ['認証コードは482913です。', '482913'],
    ['【Example】认证码 482913', '482913'],
    ['인증번호는 482913입니다.', '482913'],
    ['Doğrulama kodu: 482913', '482913'],
    [
      'Here is the code you need to log in to the account ada:\n\nR7K2V\n\nIt was asked for in Berlin.',
      'R7K2V',
    ],
    ['Ihre TAN: 482913 für die Überweisung über 1.250,00 EUR auf DE89370400440532013000', '482913'],
    ['Please verify your email. Code expires in 1440 minutes: 773201', '773201'],
    ['Meeting: 823 1234 5678\nPasscode: 918273', '918273'],
  ])('%j is %s', (text, code) => {
    expect(findCode(mail(text))).toBe(code);
  });

  it.each([
    ['Thank you for your order 482913.'],
    ['Your appointment is on 20 November 2026 at 10:45.'],
    ['Call us at +1 (415) 555-2671 or 0800 123 4567.'],
    ['The total is $4500 or 4200 EUR, due 2026-11-20.'],
    ['Use promo code SAVE2026 at checkout for 20 % off.'],
    ['Your discount code: WINTER25. Save 25 % on all.'],
    ['Our zip code is 94107.'],
    ['Error code 5021 happened while we charged the card ending in 4242.'],
    ['Enter the code that we sent to your phone ending in 4242.'],
    ['We never ask for your code. © 2026 Example, 1600 Amphitheatre Road'],
    ['PLEASE CONFIRM YOUR CODE OF CONDUCT'],
    ['Your tracking number is 1Z999AA10123456784.'],
    ['Our code base has 1500 files, and you get them all.'],
    [
      'We changed how you get a code. Last year, as most of our customers in these countries know, we wrote to 48291 of them.',
    ],
    ['Nothing of interest'],
    [''],
  ])('%j has none', (text) => {
    expect(findCode(mail(text))).toBeNull();
  });

  it('is taken from the subject first, then from the new text, then from the rest', () => {
    expect(findCode(mail('The code 111111 was the one before.', '482913 is your code'))).toBe('482913');
    const reply = { ...mail('It is code 222222\n> code 111111'), extracted_text: 'It is code 222222' };
    expect(findCode(reply)).toBe('222222');
    expect(findCode({ ...reply, extracted_text: 'See below' })).toBe('222222');
  });

  it('is found in a mail that has only HTML', () => {
    const html = `<html><head><title>Code 999999</title><style>.c{width:600px;color:#123456}</style></head><body>
      <!-- code 888888 --><p>Hi Ada,</p><p>use this code to sign in:</p>
      <table><tr><td style="font-size:32px">482&nbsp;913</td></tr></table><p>Example &copy; 2026</p></body></html>`;
    expect(findCode(mail(null, 'Sign in', html))).toBe('482913');
    const boxes = `<p>Your verification code</p><div>${[...'482913'].map((digit) => `<span>${digit}</span> `).join('')}</div>`;
    expect(findCode(mail(null, 'Sign in', boxes))).toBe('482913');
  });

  it('is found where the head of the HTML has no end', () => {
    const html =
      '<html><head><title>1111</title><meta charset="utf-8"><body><p>Your code is 482913</p></body></html>';
    expect(findCode(mail(null, 'Sign in', html))).toBe('482913');
  });

  it('is looked for in time that grows with the length alone', () => {
    for (const piece of [
      'code 12 ',
      '1 2 3 4 ',
      '<a>x',
      '<a <style <!-- ',
      'A1-',
      'verification ',
      '\n ',
      '1234.',
    ]) {
      const text = piece.repeat(Math.ceil(5_000_000 / piece.length));
      const before = process.threadCpuUsage();
      findCode(mail(text, 'Hello', text));
      const { user, system } = process.threadCpuUsage(before);
      expect([piece, user + system < 10e6]).toEqual([piece, true]);
    }
  });
});
