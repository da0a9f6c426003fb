import type { Message } from 'postrider';
import { expect, test } from 'vitest';
import { proveSender } from './proof.ts';

function proofLevel(authentication: Message['authentication']) {
  return proveSender({ authentication, from_addr: 'ada@example.com' })?.level;
}

test('only a verified domain is a proof', () => {
  const checks = { spf: 'pass', dkim: 'pass', dmarc: 'none' } as const;
  expect(proofLevel({ ...checks, verified_domain: null })).toBe('unproven');
  expect(proofLevel({ ...checks, dmarc: 'pass', verified_domain: 'example.com' })).toBe('proven');
});

test('mail that fails the policy of its domain may be forged, and the domain is named', () => {
  const authentication = { spf: 'fail', dkim: 'none', dmarc: 'fail', verified_domain: null } as const;
  const proof = proveSender({ authentication, from_addr: 'ada@example.com' });
  expect(proof?.level).toBe('forged');
  expect(proof?.help).toMatch(/^example\.com /);
});

test('sent mail needs no proof', () => {
  expect(proofLevel(null)).toBeUndefined();
});
