import { expect, test } from 'vitest';
import { readHeaderFields } from '../parse/read-header-fields.ts';
import { listKeyNames } from './signatures.ts';

const list = (...signatures: string[]) =>
  listKeyNames(
    readHeaderFields(
      Buffer.from(`${signatures.map((one) => `DKIM-Signature: ${one}\r\n`).join('')}From: a@b.c\r\n\r\nbody`),
    ),
  );

test('names the key of each signature once, folded tags and all', () => {
  expect(
    list(
      'v=1; a=rsa-sha256; d=Example.com; s=S1;\r\n\th=from:to; b=A=\r\n B=',
      'v=1; d=example.com; s=s1; b=',
      'v=1; D = exa\r\n mple.org ; S = two',
      'v=1; d=münchen.example; s=s1',
    ),
  ).toEqual([
    's1._domainkey.example.com',
    'two._domainkey.example.org',
    's1._domainkey.xn--mnchen-3ya.example',
  ]);
});

test('signatures without a domain or a selector, or with impossible ones, name no key', () => {
  expect(list('v=1; s=x', 'v=1; d=example.com', 'nonsense', '', 'd=a b/c?d; s=#')).toEqual([]);
  expect(list()).toEqual([]);
});

test('more than ten signatures, or one of more than 8 KB, are not worth a look-up', () => {
  const one = 'd=example.com; s=x';
  expect(list(...Array.from({ length: 10 }, () => one))).toHaveLength(1);
  expect(list(...Array.from({ length: 11 }, () => one))).toBeNull();
  expect(list(`${one}; h=${'from:'.repeat(2_000)}`)).toBeNull();
});
