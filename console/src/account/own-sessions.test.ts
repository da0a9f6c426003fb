import { expect, test } from 'vitest';
import { readDevice } from './own-sessions.tsx';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36`, 'Chrome', 'Windows'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    'Edge',
    'Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari',
    'macOS',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox', 'Linux'],
  [
    `Mozilla/5.0 (Linux; Android 16; Pixel 9) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`,
    'Chrome',
    'Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
    'Chrome',
    'iPhone',
  ],
])(
  'a browser is named by its own name, not by those that it is compatible with: %s',
  (userAgent, browser, system) => {
    expect(readDevice(userAgent)).toEqual({ browser, system, program: null });
  },
);

test('a program has its first word as its name', () => {
  expect(readDevice('curl/8.14.1')).toEqual({ browser: null, system: null, program: 'curl' });
});

test('what says nothing stays unknown', () => {
  const unknown = { browser: null, system: null, program: null };
  expect(readDevice(null)).toEqual(unknown);
  expect(readDevice('')).toEqual(unknown);
  expect(readDevice('<script>')).toEqual(unknown);
  expect(readDevice('Mozilla/5.0')).toEqual(unknown);
});
