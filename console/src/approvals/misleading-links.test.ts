import { expect, test } from 'vitest';
import { misleadingLinks } from './misleading-links.ts';

const check = (text: string, href: string) =>
  misleadingLinks([{ text, href }]).map(({ shown, leadsTo }) => `${shown} > ${leadsTo}`);

test('finds links whose text names another host', () => {
  expect([
    check('https://bank.example/login', 'https://evil.example/login'),
    check('bank.example', 'https://bank.example.evil.example/'),
    check('Sign in at www.bank.example now', 'http://evil.example'),
    check('https://bank.example@evil.example', 'https://evil.example/'),
    check('ada@bank.example', 'mailto:ada@evil.example'),
    check('bänk.example', 'https://bank.example/'),
    check('sub.bank.example', 'https://bank.example/'),
  ]).toEqual([
    ['bank.example > evil.example'],
    ['bank.example > bank.example.evil.example'],
    ['bank.example > evil.example'],
    ['bank.example > evil.example'],
    ['bank.example > evil.example'],
    ['xn--bnk-qla.example > bank.example'],
    ['sub.bank.example > bank.example'],
  ]);
});

test('lets links pass that lead where they say, or say nothing', () => {
  const pairs = [
    ['https://bank.example/login', 'https://bank.example/other'],
    ['BANK.example', 'https://www.bank.example/'],
    ['www.bank.example', 'https://bank.example'],
    ['bank.example', 'https://login.bank.example/'],
    ['bänk.example', 'https://xn--bnk-qla.example/'],
    ['Your invoice', 'https://bank.example/'],
    ['report.pdf', 'https://bank.example/files/report.pdf'],
    ['e.g. this one', 'https://bank.example/'],
    ['ada@bank.example', 'mailto:ada@bank.example?subject=hi@evil.example'],
    ['bank.example', '#below'],
    ['bank.example', 'javascript:alert(1)'],
  ] as const;
  expect(pairs.filter(([text, href]) => check(text, href).length > 0)).toEqual([]);
});

test('names each pair of hosts once', () => {
  const link = { text: 'bank.example', href: 'https://evil.example/' };
  expect(misleadingLinks([link, { ...link, href: 'https://evil.example/2' }])).toHaveLength(1);
});
