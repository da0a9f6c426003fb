/*
 * The status of a domain after a check of its records:
 *
 *   pending     nothing is published yet
 *   verifying   some records are published; or, for a domain that was verified, some are now missing, but mail is still sent
 *   verified    every record was found
 *   failed      not verified within 72 hours; or, for a domain that was verified, its mail would no longer be authenticated
 *
 * A domain that was verified fails at once if neither DKIM nor SPF is left, and otherwise a day after the loss of a record that sending
 * depends on. The records for DMARC and incoming mail do not affect sending. A name server that does not respond changes nothing.
 */
import type { Domain } from '@postrider/contract';
import type { TimeScale } from '../../lib/clock.ts';
import type { RecordCheck, RecordPurpose } from '../domain.entity.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long the server looks for the records of a new domain, and how long a verified domain can miss a record that sending depends on. */
export const recordWaitsMs = { lookFor: 72 * hour, missing: day };

const lookDelaysMs = [
  { untilMs: 10 * minute, delayMs: minute },
  { untilMs: hour, delayMs: 5 * minute },
  { untilMs: 6 * hour, delayMs: 15 * minute },
  { untilMs: recordWaitsMs.lookFor, delayMs: hour },
];

/** The part of a domain that a check changes. */
export interface DomainState {
  status: Domain['status'];
  checks: RecordCheck[];
  looking_since: Date;
  failing_since: Date | null;
  verified_at: Date | null;
  due_at: Date | null;
}

/** The records without which a domain cannot send after a day. */
export const sendingPurposes: RecordPurpose[] = ['ownership', 'dkim', 'spf', 'mail_from'];

/** Returns whether mail may be sent from a domain: it was verified, and its mail is still authenticated. */
export function maySend({
  status,
  verified_at,
}: Pick<DomainState, 'status'> & { verified_at: Date | string | null }): boolean {
  return verified_at !== null && (status === 'verified' || status === 'verifying');
}

/** Returns the state of a domain after a check of all its records. */
export function nextState(
  before: DomainState,
  checks: RecordCheck[],
  at: Date,
  timeScale: TimeScale,
): DomainState {
  const next = before.verified_at === null ? firstState : laterState;
  const state = next({ ...before, checks }, before.checks, at, timeScale);
  const isSettled = state.status === 'verified' && state.checks.every(({ status }) => status === 'verified');
  const ageMs = (at.getTime() - searchBegan(state).getTime()) * timeScale.factor;
  const delayMs = isSettled ? day : (lookDelaysMs.find(({ untilMs }) => ageMs < untilMs)?.delayMs ?? day);
  return { ...state, due_at: timeScale.after(at, delayMs) };
}

/** Returns the time since which the server has looked for missing records: for a verified domain, the time when it last lost a record. */
function searchBegan({ verified_at, looking_since, checks }: DomainState): Date {
  if (verified_at === null) return looking_since;
  const losses = checks.filter(({ status }) => status !== 'verified').map(statusSince);
  return new Date(Math.max(looking_since.getTime(), ...losses));
}

function statusSince({ since, at }: RecordCheck): number {
  return Date.parse(since ?? at);
}

/** Returns the checks with the time of the first one in a row that had the same result. */
function withTimes(checks: RecordCheck[], before: RecordCheck[]): RecordCheck[] {
  return checks.map((check) => {
    const last = before.find(({ purpose }) => purpose === check.purpose);
    const since = last?.status === check.status ? (last.since ?? last.at) : check.at;
    return { ...check, since };
  });
}

/** Returns the state of a domain that was never verified. */
function firstState(state: DomainState, before: RecordCheck[], at: Date, timeScale: TimeScale): DomainState {
  const found = state.checks.filter(({ status }) => status === 'verified').length;
  const checks = withTimes(state.checks, before);
  if (found === state.checks.length)
    return { ...state, checks, status: 'verified', verified_at: at, failing_since: null };
  const isOver = at >= timeScale.after(state.looking_since, recordWaitsMs.lookFor);
  const status = isOver ? 'failed' : found === 0 ? 'pending' : 'verifying';
  return { ...state, status, failing_since: null, checks: isOver ? checks.map(givenUp) : checks };
}

function givenUp(check: RecordCheck): RecordCheck {
  return check.status === 'pending' ? { ...check, status: 'failed' } : check;
}

/** Returns the state of a domain that was verified once. */
function laterState(state: DomainState, before: RecordCheck[], at: Date, timeScale: TimeScale): DomainState {
  // Only a DMARC policy that is weaker than the requested one may still change.
  const judged = state.checks.map((check) => (check.isWeaker ? check : givenUp(check)));
  const checks = withTimes(judged, before);
  const missing = checks.filter(({ status }) => status === 'failed');
  if (missing.length === 0) return { ...state, checks, status: 'verified', failing_since: null };
  const isMissing = (purpose: RecordPurpose) => missing.some((check) => check.purpose === purpose);
  const losses = missing.filter(({ purpose }) => sendingPurposes.includes(purpose)).map(statusSince);
  const failing_since = losses.length > 0 ? new Date(Math.min(...losses)) : null;
  const isLong = failing_since !== null && at >= timeScale.after(failing_since, recordWaitsMs.missing);
  const isUnsigned = isMissing('dkim') && (isMissing('spf') || isMissing('mail_from'));
  return { ...state, checks, failing_since, status: isUnsigned || isLong ? 'failed' : 'verifying' };
}
