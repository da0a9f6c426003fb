import { expect, test } from 'vitest';
import { reviewPassword } from './new-password-field.tsx';

test('a password is refused below ten characters, and counted by characters, not by bytes', () => {
  expect(reviewPassword('123456789', null)).toEqual({ faults: ['short'], strength: 0 });
  expect(reviewPassword('🐎🐎🐎🐎🐎', null).faults).toEqual(['short']);
  expect(reviewPassword('correct ho', null)).toEqual({ faults: [], strength: 1 });
});

test('a password is not the email address, whatever its case, with or without its domain', () => {
  expect(reviewPassword('Ada.Lovelace@Example.com', 'ada.lovelace@example.com').faults).toEqual(['email']);
  expect(reviewPassword('ada.lovelace', 'ada.lovelace@example.com').faults).toEqual(['email']);
  expect(reviewPassword('', 'ada@example.com').faults).toEqual(['short']);
  expect(reviewPassword('ada.lovelace likes horses', 'ada.lovelace@example.com').faults).toEqual([]);
});

test('the longer a password is, the stronger; repetition does not count', () => {
  expect(reviewPassword('correct horse', null).strength).toBe(1);
  expect(reviewPassword('correct horse b', null).strength).toBe(2);
  expect(reviewPassword('correct horse battery', null).strength).toBe(3);
  expect(reviewPassword('a'.repeat(60), null).strength).toBe(1);
});
