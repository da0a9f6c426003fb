import { expect, it } from 'vitest';
import { nearestAddress } from './nearest-address.ts';

const known = ['support@mail.example', 'sales@mail.example', 'ada.lovelace@mail.example'];

it('finds the address that was meant', () => {
  expect(nearestAddress('suport@mail.example', known)).toBe('support@mail.example');
  expect(nearestAddress('Sale@mail.example', known)).toBe('sales@mail.example');
  expect(nearestAddress('suport+order-17@mail.example', known)).toBe('support@mail.example');
  expect(nearestAddress('support@mial.example', known)).toBe('support@mail.example');
  expect(nearestAddress('support@other.example', known)).toBe('support@mail.example');
});

it('prefers a small difference to the same name at another domain', () => {
  expect(nearestAddress('sales@mail.exampl', ['sales@elsewhere.example', ...known])).toBe(
    'sales@mail.example',
  );
});

it('finds nothing where nothing is near', () => {
  expect(nearestAddress('billing@mail.example', known)).toBeNull();
  expect(nearestAddress('support@mail.example', known)).toBeNull();
  expect(nearestAddress('', known)).toBeNull();
  expect(nearestAddress('x', [])).toBeNull();
  expect(nearestAddress(`${'a'.repeat(300)}@mail.example`, known)).toBeNull();
});
