import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tunedMails } from '../../sdk/src/waits/code-mails-tuned.ts';
import { untouchedMails } from '../../sdk/src/waits/code-mails-untouched.ts';
import { findCode } from '../../sdk/src/waits/find-code.ts';
import { findLink } from '../../sdk/src/waits/find-link.ts';
import { toPython } from './patterns-file.ts';

const folder = resolve(import.meta.dirname, '../../python');
const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0;
const missing = hasPython ? '' : ' (no Python 3.10 or newer is here)';

/** Finds code and link of each message of the standard input. */
const program = `
import json, sys
from postrider._find_code import find_code
from postrider._find_link import find_link
print(json.dumps([[find_code(message), find_link(message)] for message in json.load(sys.stdin)]))
`;

const secret = 'a'.repeat(32);
const htmls = [
  `<p>Hello<br>there</p><a href="https://example.com/a?x=1&amp;t=${secret}"><img alt="Confirm"></a> or <!-- <a href="https://e.com/verify">no</a> -->`,
  `<style>.code{}</style><p>Your code is</p><p><b>482&nbsp;913</b></p><a href='https://example.com/login'>Log in</a>`,
  `<a href=https://example.com/unsubscribe>Unsubscribe</a><a href="https://example.com/verify/${secret}">&#86;erify</a>`,
  `Your code <b>77AB31</b><script>code 123456</script>`,
];
const texts = [
  'Please verify your address: https://example.com/verify?token=abc.',
  'See https://example.com/blog/post and then <https://example.com/auth/confirm/8f3b>',
  '[Confirm](https://en.example.org/wiki/Confirm_(act))',
  '请点击链接验证您的邮箱：https://example.cn/u/93。',
  'Confirm: http://example.com/plain then https://example.com/CONFIRM',
  'BITTE BESTÄTIGEN: https://example.de/k/93 https://[bad/verify https://example.com:99999/verify',
  'Logo: https://example.com/verify.png, https://facebook.com/verify',
];

const messages = [
  ...[...tunedMails, ...untouchedMails].map(([, , subject, body_text]) => ({
    subject,
    body_text,
    body_html: null,
  })),
  ...htmls.map((body_html) => ({ subject: 'Sign in', body_text: null, body_html })),
  ...texts.map((body_text) => ({ subject: '', body_text, body_html: null })),
].map((message) => ({ ...message, extracted_text: null }));

describe('the patterns for Python', () => {
  it.skipIf(!hasPython)(`find the codes and links that the SDK finds${missing}`, () => {
    const { stdout, stderr } = spawnSync('python3', ['-c', program], {
      cwd: folder,
      input: JSON.stringify(messages),
      encoding: 'utf8',
      env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' },
    });
    expect(stderr).toBe('');
    const found = JSON.parse(stdout) as [string | null, string | null][];
    expect(found.filter(([code, link]) => code !== null || link !== null).length).toBeGreaterThan(90);
    expect(found).toEqual(messages.map((message) => [findCode(message), findLink(message)]));
  });

  it('spell out what Python understands otherwise', () => {
    expect(toPython(String.raw`(?<other>\d+)[\w-]\W$`)).toBe(
      String.raw`(?P<other>[0-9]+)[A-Za-z0-9_-][^A-Za-z0-9_]\Z`,
    );
    expect(toPython(String.raw`(?<!\d[ .]{1,2})\p{L}`)).toBe(
      String.raw`(?<![0-9][ .])(?<![0-9][ .][ .])[^\W\d_]`,
    );
    expect(() => toPython(String.raw`[\W]`)).toThrow('no such class');
  });
});
