import { expect, test } from 'vitest';
import {
  type Attempt,
  holds,
  judge,
  memoryGrowth,
  names,
  nameWhileAllAttack,
  type Seen,
  worseThan,
} from './judge.ts';

const none = { count: 1, p50: 1, p99: 1, longest: 1 };
const accounts = { lost: [], twice: [] };
const calm: Seen = {
  probe: { ...none, failed: 0, failures: {} },
  honest: {
    taken: none,
    readable: none,
    mailsNeverTaken: 0,
    refusals: {},
    sends: 1,
    sendsNeverAnswered: 0,
    requests: none,
    failures: {},
    events: {},
    mailAccounts: accounts,
    sendAccounts: accounts,
    eventAccounts: accounts,
  },
  watched: { rssMb: 500, descriptors: 300, idleConnections: 0, samples: [] },
  ended: 0,
  lastWords: '',
  answersAfterwards: true,
  attacks: { one: { counts: {}, largestBytes: 4_000_000, error: null } },
};
const one: Attempt = { isTogether: false, isLong: false };
const brokenIn = (changes: Partial<Seen>, attempt = one): string[] =>
  judge({ ...calm, ...changes }, attempt)
    .filter((judgement) => !holds(judgement))
    .map(({ invariant }) => invariant);
const honestWith = (changes: Partial<Seen['honest']>) => brokenIn({ honest: { ...calm.honest, ...changes } });

test('a calm server breaks nothing, at the very bounds neither', () => {
  expect(brokenIn({})).toEqual([]);
  expect(brokenIn({ probe: { ...calm.probe, p99: 100, longest: 500 } })).toEqual([]);
  expect(honestWith({ taken: { ...none, longest: 2_000 } })).toEqual([]);
});

test('each invariant is broken by what it is about', () => {
  expect(brokenIn({ probe: { ...calm.probe, p99: 101 } })).toEqual([names.probeP99]);
  expect(brokenIn({ probe: { ...calm.probe, longest: 501 } })).toEqual([names.probeLongest]);
  expect(brokenIn({ probe: { ...calm.probe, failed: 1 } })).toEqual([names.probeFailed]);
  expect(honestWith({ failures: { 'GET /threads: 503': 1 } })).toEqual([names.failures]);
  expect(honestWith({ failures: { 'GET /threads: 500': 1 } })).toEqual([names.failures, names.faults]);
  expect(
    brokenIn({ attacks: { one: { counts: { 'GET /a: 500': 2 }, largestBytes: 0, error: null } } }),
  ).toEqual([names.faults]);
  expect(honestWith({ taken: { ...none, longest: 2_001 } })).toEqual([names.taken]);
  expect(honestWith({ readable: { ...none, longest: 2_001 } })).toEqual([names.readable]);
  expect(honestWith({ eventAccounts: { lost: ['evt'], twice: [] } })).toEqual([names.lost]);
  expect(honestWith({ mailsNeverTaken: 1 })).toEqual([names.neverDone]);
  expect(honestWith({ sendsNeverAnswered: 1 })).toEqual([names.neverDone]);
  expect(honestWith({ sendAccounts: { lost: [], twice: ['send'] } })).toEqual([names.twice]);
  expect(brokenIn({ watched: { ...calm.watched, rssMb: 900 } })).toEqual([names.memory]);
  expect(brokenIn({ watched: { ...calm.watched, idleConnections: 1 } })).toEqual([names.idle]);
  expect(brokenIn({ ended: 1, answersAfterwards: false })).toEqual([names.ended]);
  expect(brokenIn({ answersAfterwards: false })).toEqual([names.silent]);
  expect(brokenIn({ attacks: { one: { counts: {}, largestBytes: 6_291_457, error: null } } })).toEqual([
    names.largest,
  ]);
});

test('memory that grows after the warm-up is told by the minute, and judged in a long run', () => {
  const minutes = Array.from({ length: 30 }, (_, minute) => ({
    at: minute * 60_000,
    rssMb: 400 + 5 * minute,
  }));
  const warm = minutes.map(({ at }) => ({ at, rssMb: at < 5 * 60_000 ? 300 : 500 }));
  expect(memoryGrowth({ samples: minutes })).toBe(5);
  expect(memoryGrowth({ samples: warm })).toBe(0);
  const grown = judge({ ...calm, watched: { ...calm.watched, samples: minutes } }, { ...one, isLong: true });
  expect(grown.filter((judgement) => !holds(judgement)).map(({ invariant }) => invariant)).toEqual([
    names.growth,
  ]);
});

test('while all attack others may wait for seconds, and nothing else is judged more mildly', () => {
  const all: Attempt = { ...one, isTogether: true };
  expect(brokenIn({ probe: { ...calm.probe, p99: 2_000, longest: 5_000 } }, all)).toEqual([]);
  expect(brokenIn({ probe: { ...calm.probe, longest: 5_001 } }, all)).toEqual([
    nameWhileAllAttack(names.probeLongest),
  ]);
  expect(brokenIn({ probe: { ...calm.probe, failed: 1 }, ended: 1 }, all)).toEqual([
    names.probeFailed,
    names.ended,
  ]);
  const refused = { ...calm.honest, failures: { 'GET /threads: 429': 1 } };
  expect(brokenIn({ honest: refused }, all)).toEqual([nameWhileAllAttack(names.failures)]);
});

test('a limit shows what it is for if its absence makes things twice as bad within their bounds, by medians', () => {
  const withP99 = (...rounds: number[]) =>
    rounds.map((p99) => judge({ ...calm, probe: { ...calm.probe, p99 } }, one));
  expect(worseThan(withP99(20, 90, 10), withP99(41, 10, 99), [names.probeP99, names.idle])).toEqual([
    `${names.probeP99}: 20 with the limit, 41 without`,
  ]);
  expect(worseThan(withP99(20), withP99(40), [names.probeP99, names.idle])).toEqual([]);
  expect(worseThan(withP99(5), withP99(24), [names.probeP99])).toEqual([]);
});
