import { expect, test } from 'vitest';
import { passkeyObstacle, readFault } from './passkey-ceremony.tsx';

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
  expect(readFault(new DOMException('timed out', 'NotAllowedError'))).toBe('cancelled');
  expect(readFault(new DOMException('aborted', 'AbortError'))).toBe('cancelled');
  expect(readFault(new DOMException('registered', 'InvalidStateError'))).toBe('known');
  expect(readFault(new DOMException('domain', 'SecurityError'))).toBe('failed');
  expect(readFault('something')).toBe('failed');
});
