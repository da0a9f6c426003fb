import { expect, it } from 'vitest';
import type { MailReport } from '../mail/reports/read-report.ts';
import type { ReportedDelivery } from '../mail/reports/report-parts.ts';
import { decideReport } from './report-outcome.ts';

const reported = { recipient: 'ada@x.example', at: new Date() };
const delivery = (change: Partial<ReportedDelivery> = {}): ReportedDelivery => ({
  result: 'hard',
  recipient: 'ada@x.example',
  originalRecipient: null,
  status: '5.1.1',
  diagnostic: '550 5.1.1 No such user',
  ...change,
});
const report = (...deliveries: ReportedDelivery[]): MailReport => ({
  deliveries,
  feedback: null,
  messageId: null,
  returnPaths: [],
});
const feedback = (type: string): MailReport => ({
  ...report(),
  feedback: { type, recipients: [], returnPath: null },
});

it.each([
  ['hard', 'bounced', 'hard_bounce'],
  ['soft', 'bounced', 'soft_bounce'],
  ['delivered', 'delivered', null],
  ['delayed', 'sent', null],
  ['relayed', 'sent', null],
] as const)('%s becomes %s, with the suppression %s', (result, status, suppression) => {
  expect(decideReport(report(delivery({ result })), reported)).toMatchObject({
    status,
    suppression,
    isEvidence: true,
  });
});

it('a bounce and a complaint follow delivered, and a delay follows sent only', () => {
  const from = (mail: MailReport) => decideReport(mail, reported)?.fromStatuses.toSorted();
  const open = ['deferred', 'failed', 'queued', 'sending', 'sent'];
  expect(from(report(delivery()))).toEqual(['deferred', 'delivered', ...open.slice(1)]);
  expect(from(feedback('abuse'))).toEqual(['deferred', 'delivered', ...open.slice(1)]);
  expect(from(report(delivery({ result: 'delivered' })))).toEqual(open);
  expect(from(report(delivery({ result: 'delayed' })))).toEqual(['sent']);
});

it('a report that says nothing but its action gives null for code and diagnostic, and a reply code where it says that', () => {
  const bounceOf = (change: Partial<ReportedDelivery>) =>
    decideReport(report(delivery(change)), reported)?.events[0]?.extra.bounce;
  expect(bounceOf({ status: null, diagnostic: null })).toEqual({
    type: 'hard',
    code: null,
    diagnostic: null,
  });
  expect(bounceOf({ status: null, diagnostic: '550 gone' })).toMatchObject({ code: '550' });
  expect(bounceOf({})).toMatchObject({ code: '5.1.1' });
});

it('of several recipients those with our address count, else all, and the best of them counts', () => {
  const other = 'other@y.example';
  const status = (...deliveries: ReportedDelivery[]) => decideReport(report(...deliveries), reported)?.status;
  expect(status(delivery({ recipient: other, result: 'delivered' }), delivery())).toBe('bounced');
  expect(
    status(
      delivery({ recipient: other, originalRecipient: 'ada@x.example' }),
      delivery({ recipient: 'z@y.example', result: 'delivered' }),
    ),
  ).toBe('bounced');
  expect(
    status(delivery({ recipient: other }), delivery({ recipient: 'z@y.example', result: 'delivered' })),
  ).toBe('delivered');
  expect(status(delivery({ recipient: other }))).toBe('bounced');
});

it.each(['abuse', 'fraud', 'virus', 'other', 'opt-out', 'opt-out-list'])('%s is a complaint', (type) => {
  expect(decideReport(feedback(type), reported)).toMatchObject({
    status: 'complained',
    suppression: 'complaint',
  });
});

it.each(['not-spam', 'auth-failure', 'something-new'])('%s is no complaint', (type) => {
  expect(decideReport(feedback(type), reported)).toBeNull();
});

it('a report of nobody decides nothing', () => {
  expect(decideReport(report(), reported)).toBeNull();
});
