import { expect, test } from 'vitest';
import { clientOf, isLoopback } from './ip-address.ts';

test('a client is an IPv4 address or an IPv6 network of 64 bits', () => {
  expect(clientOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(clientOf('2001:db8:1:2::1')).toBe(clientOf('2001:db8:1:2:ffff::9'));
  expect(clientOf('2001:db8:1:2::1')).not.toBe(clientOf('2001:db8:1:3::1'));
  expect(clientOf('')).toBe('');
});

test('this machine is the loopback network, in either notation', () => {
  expect(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'].map(isLoopback)).toEqual(Array(4).fill(true));
  expect(['10.0.0.1', '2001:db8::1', '', 'unknown'].map(isLoopback)).toEqual(Array(4).fill(false));
});
