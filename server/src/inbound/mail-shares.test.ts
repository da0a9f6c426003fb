import { plans } from '@postrider/contract';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { beforeEach, expect, test } from 'vitest';
import { createTimeScale } from '../lib/clock.ts';
import { mailShareLimits } from './limits.ts';
import { hasFilledShare, noteMail } from './mail-shares.ts';

const tenth = plans.free.mail_bytes / 10;
const clock = createMovingClock();
type ShareDeps = Parameters<typeof noteMail>[0];
let deps: ShareDeps;

beforeEach(() => {
  const config = { plans, mailDomain: 'postrider.test' };
  deps = { memory: new Map(), config, clock, timeScale: createTimeScale(1) } as unknown as ShareDeps;
});

const inbox = { inboxId: 'inb_1', plan: 'free' as const };
const from = (envelopeFrom: string, remoteAddress: string | null = '93.184.216.9') => ({
  envelopeFrom,
  remoteAddress,
});
const isFilled = (...sender: Parameters<typeof from>) => hasFilledShare(deps, inbox, from(...sender));
const put = (bytes: number, ...sender: Parameters<typeof from>) =>
  noteMail(deps, inbox.inboxId, from(...sender), bytes);

test('a share is a tenth of the plan, and one byte more fills it, in this inbox and by this plan', () => {
  put(tenth, 'a@x.example');
  expect(isFilled('a@x.example')).toBe(false);
  put(1, 'a@x.example');
  expect(isFilled('a@x.example')).toBe(true);
  expect(hasFilledShare(deps, { ...inbox, inboxId: 'inb_2' }, from('a@x.example'))).toBe(false);
  expect(hasFilledShare(deps, { ...inbox, plan: 'pro' }, from('a@x.example'))).toBe(false);
});

test('a client of the internet is one sender under all names, and fills the share of nobody whose address it names', () => {
  for (let n = 0; n < 11; n += 1) put(tenth / 10, `a${n}@d${n}.example`);
  expect(isFilled('new@new.example')).toBe(true);
  expect(isFilled('')).toBe(true);
  put(2 * tenth, 'real@y.example');
  expect(isFilled('real@y.example', '8.8.4.1')).toBe(false);
  put(tenth + 1, '', '2606:4700:1:2::1');
  expect(isFilled('b@z.example', '2606:4700:1:2:ffff::9')).toBe(true);
  expect(isFilled('b@z.example', '2606:4700:1:3::1')).toBe(false);
});

test.each(['127.0.0.1', '10.1.2.3', '::ffff:192.168.0.4', '::1'])(
  'behind a relay at %s each domain is a sender, and the null sender one',
  (relay) => {
    for (let n = 0; n < 11; n += 1) put(tenth / 10, `a${n}@x.example`, relay);
    expect(isFilled('other@X.example', relay)).toBe(true);
    expect(isFilled('a@sub.x.example', relay)).toBe(false);
    expect(isFilled('', relay)).toBe(false);
    put(tenth + 1, '', relay);
    expect(isFilled('', relay)).toBe(true);
    expect(isFilled('a@y.example', relay)).toBe(false);
  },
);

test('of the mail domain itself each inbox is a sender, whichever way its mail comes', () => {
  put(tenth + 1, 'a@postrider.test', null);
  expect([isFilled('a@postrider.test', null), isFilled('a@postrider.test', '127.0.0.1')]).toEqual([
    true,
    true,
  ]);
  expect([isFilled('b@postrider.test', null), isFilled('b@postrider.test', '127.0.0.1')]).toEqual([
    false,
    false,
  ]);
});

test('a day after its first mail a sender begins anew', () => {
  put(tenth + 1, 'a@x.example');
  clock.advance(86_000_000);
  expect(isFilled('a@x.example')).toBe(true);
  clock.advance(500_000);
  expect(isFilled('a@x.example')).toBe(false);
});

test('who goes on asking is not forgotten for others, of whom so many are known', () => {
  put(tenth + 1, 'a@x.example', '127.0.0.1');
  for (let n = 0; n < mailShareLimits.sendersMax * 2; n += 1) {
    put(1, `a@d${n}.example`, '127.0.0.1');
    if (n % 10_000 === 0) expect(isFilled('a@x.example', '127.0.0.1')).toBe(true);
  }
  expect(isFilled('a@x.example', '127.0.0.1')).toBe(true);
});
