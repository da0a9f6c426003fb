import { expect, test } from 'vitest';
import { faultOf, passkeyObstacle } from './passkey-ceremony.ts';

test.each([
  ['mail.example.com', true, null],
  ['localhost', true, null],
  ['127.0.0.1', true, 'address'],
  ['[::1]', true, 'address'],
  ['mail.example.com', false, 'browser'],
])('passkeys at %s, known to the browser: %s', (hostname, isSupported, expected) =>
  expect(passkeyObstacle({ hostname }, isSupported)).toBe(expected),
);

test('errors of the browser are told apart as far as the person can do something', () => {
  expect(faultOf(new DOMException('timed out', 'NotAllowedError'))).toBe('cancelled');
  expect(faultOf(new DOMException('aborted', 'AbortError'))).toBe('cancelled');
  expect(faultOf(new DOMException('registered', 'InvalidStateError'))).toBe('known');
  expect(faultOf(new DOMException('domain', 'SecurityError'))).toBe('failed');
  expect(faultOf('something')).toBe('failed');
});
