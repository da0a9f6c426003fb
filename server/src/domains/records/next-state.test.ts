import { describe, expect, test } from 'vitest';
import { createTimeScale } from '../../lib/clock.ts';
import type { RecordCheck, RecordPurpose } from '../domain.entity.ts';
import { type DomainState, maySend, nextState, recordWaitsMs } from './next-state.ts';

const purposes: RecordPurpose[] = ['ownership', 'dkim', 'spf', 'mail_from', 'dmarc', 'inbound'];
const begun = new Date('2026-01-01T00:00:00Z');
const at = (ms: number) => new Date(begun.getTime() + ms);
const minute = 60_000;
const hour = 60 * minute;

const fresh: DomainState = {
  status: 'pending',
  checks: [],
  looking_since: begun,
  failing_since: null,
  verified_at: null,
  due_at: begun,
};

const checked = (missing: RecordPurpose[], ms: number, more: Partial<RecordCheck> = {}): RecordCheck[] =>
  purposes.map((purpose) => ({
    purpose,
    status: missing.includes(purpose) ? 'pending' : 'verified',
    found: '',
    server: null,
    at: at(ms).toISOString(),
    ...(missing.includes(purpose) ? more : {}),
  }));

const after = (state: DomainState, missing: RecordPurpose[], ms: number, factor = 1) =>
  nextState(state, checked(missing, ms), at(ms), createTimeScale(factor));
const verified = after(fresh, [], minute);

describe('a new domain', () => {
  test('goes from pending over verifying to verified, record by record', () => {
    expect(after(fresh, purposes, minute)).toMatchObject({ status: 'pending', verified_at: null });
    expect(after(fresh, ['dkim'], minute)).toMatchObject({ status: 'verifying', verified_at: null });
    expect(verified).toMatchObject({ status: 'verified', verified_at: at(minute) });
    expect([maySend(fresh), maySend(after(fresh, ['dkim'], minute)), maySend(verified)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('is looked at often in the beginning, for 72 hours, and every day from then on', () => {
    const waits = [minute, 20 * minute, 2 * hour, 30 * hour, 80 * hour].map((ms) => {
      const state = after(fresh, purposes, ms);
      return ((state.due_at?.getTime() ?? 0) - at(ms).getTime()) / minute;
    });
    expect(waits).toEqual([1, 5, 15, 60, 24 * 60]);
    expect(after(fresh, purposes, recordWaitsMs.lookFor - 1).status).toBe('pending');
    const late = after(fresh, ['dkim'], recordWaitsMs.lookFor);
    expect(late.status).toBe('failed');
    expect(late.checks.map(({ status }) => status)).toContain('failed');
    expect(after(late, [], 100 * hour).status).toBe('verified');
  });

  test('is given up sooner where time runs faster', () => {
    expect(after(fresh, purposes, recordWaitsMs.lookFor / 60, 60).status).toBe('failed');
  });
});

describe('a verified domain', () => {
  test('says that a record is missing before mail fails, and goes on after it is back', () => {
    const broken = after(verified, ['dkim'], 25 * hour);
    expect(broken).toMatchObject({
      status: 'verifying',
      failing_since: at(25 * hour),
      verified_at: at(minute),
    });
    expect(broken.checks.find(({ purpose }) => purpose === 'dkim')?.status).toBe('failed');
    expect(maySend(broken)).toBe(true);
    expect(after(broken, [], 26 * hour)).toMatchObject({ status: 'verified', failing_since: null });
  });

  test('fails a day later, and at once if neither DKIM nor SPF is left', () => {
    const broken = after(verified, ['ownership'], 25 * hour);
    const failed = after(broken, ['ownership'], 49 * hour);
    expect([failed.status, maySend(failed)]).toEqual(['failed', false]);
    expect(after(failed, [], 50 * hour).status).toBe('verified');
    expect(after(verified, ['dkim', 'spf'], 25 * hour).status).toBe('failed');
    expect(after(verified, ['dkim', 'mail_from'], 25 * hour).status).toBe('failed');
  });

  test('goes on sending without its records for DMARC and incoming mail', () => {
    let state = verified;
    for (const ms of [25 * hour, 60 * hour, 500 * hour]) state = after(state, ['dmarc', 'inbound'], ms);
    expect([state.status, maySend(state)]).toEqual(['verifying', true]);
  });

  test('stays verified while a stricter DMARC policy is still to be published', () => {
    const state = nextState(
      verified,
      checked(['dmarc'], hour, { isWeaker: true }),
      at(hour),
      createTimeScale(1),
    );
    expect(state).toMatchObject({ status: 'verified', failing_since: null });
    expect(state.checks.find(({ purpose }) => purpose === 'dmarc')?.status).toBe('pending');
    expect(((state.due_at?.getTime() ?? 0) - at(hour).getTime()) / minute).toBeLessThan(24 * 60);
  });

  test('has its day from the loss of that record, whatever was missing before', () => {
    const withoutMail = after(verified, ['inbound'], 24 * hour);
    expect([withoutMail.status, withoutMail.failing_since]).toEqual(['verifying', null]);
    const later = after(withoutMail, ['inbound', 'spf'], 900 * hour);
    expect([later.status, later.failing_since]).toEqual(['verifying', at(900 * hour)]);
    expect(after(later, ['inbound', 'spf'], 925 * hour).status).toBe('failed');
  });

  test('is looked at often after it lost a record, however old it is', () => {
    const broken = after(verified, ['dkim'], 900 * hour);
    expect(((broken.due_at?.getTime() ?? 0) - at(900 * hour).getTime()) / minute).toBe(1);
  });
});
