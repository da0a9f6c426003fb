import { expect, it } from 'vitest';
import { nextLook, readFound } from './dns-records.tsx';

const nothing = { warning: null, reports: null, server: null, at: null, next: null };

it('is null for a record that was not looked for yet', () => {
  expect(readFound({ found: null, hint: null })).toBeNull();
});

it('is the value of a record that is right', () => {
  expect(readFound({ found: 'v=DMARC1; p=none; rua=mailto:a@b.example', hint: null })).toEqual({
    ...nothing,
    text: 'v=DMARC1; p=none; rua=mailto:a@b.example',
  });
});

it('says where and when we looked, and when we look next', () => {
  const hint =
    'no TXT record at _dmarc.acme.example; asked ns1.acme.example (192.0.2.53) at 2026-11-20T09:30:00.000Z; next look at 2026-11-20T09:31:00.000Z';
  expect(readFound({ found: null, hint })).toEqual({
    ...nothing,
    text: 'no TXT record at _dmarc.acme.example',
    server: 'ns1.acme.example (192.0.2.53)',
    at: '2026-11-20T09:30:00.000Z',
    next: '2026-11-20T09:31:00.000Z',
  });
  expect(readFound({ found: null, hint: 'no answer: refused; looked at 2026-11-20T09:30:00.000Z' })).toEqual({
    ...nothing,
    text: 'no answer: refused',
    at: '2026-11-20T09:30:00.000Z',
  });
});

it('keeps warnings and reports apart from the value', () => {
  const found = 'v=DMARC1; p=reject';
  const hint =
    'warning: DKIM cannot be verified now, so p=reject may hit your own mail; reports of 30 days: 1,204 emails, 99.5 % pass; looked at 2026-11-20T09:30:00.000Z';
  expect(readFound({ found, hint })).toMatchObject({
    text: 'v=DMARC1; p=reject',
    warning: 'DKIM cannot be verified now, so p=reject may hit your own mail',
    reports: 'reports of 30 days: 1,204 emails, 99.5 % pass',
  });
  const failing =
    'warning: receivers reported 9 of 40 emails as failing DMARC in the last 30 days, so p=quarantine may hit your own mail';
  expect(readFound({ found: 'v=DMARC1; p=none', hint: failing })).toMatchObject({
    text: 'v=DMARC1; p=none',
    warning: null,
    reports: expect.stringMatching(/^receivers reported 9 of 40/),
  });
});

it('finds the nearest look at any record', () => {
  const at = (time: string) => ({
    found: null,
    hint: `x; looked at 2026-11-20T09:30:00.000Z; next look at ${time}`,
  });
  const records = [
    { found: null, hint: null },
    at('2026-11-20T10:00:00.000Z'),
    at('2026-11-20T09:45:00.000Z'),
  ];
  expect(nextLook(records)).toBe('2026-11-20T09:45:00.000Z');
  expect(nextLook([{ found: 'right', hint: null }])).toBeNull();
});
