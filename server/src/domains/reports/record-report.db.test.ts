import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { DmarcCount } from '../../mail/reports/read-dmarc-report.ts';
import type { ReportedDomain } from './find-reported-domain.ts';
import { recordReport, removeReports, reportLimits } from './record-report.ts';
import { findReportedMail } from './reported-mail.ts';

const day = 24 * 3_600_000;
const clock = createMovingClock();
const usual = { ...reportLimits };
let server: TestServer;
let names = 0;

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterEach(() => Object.assign(reportLimits, usual));
afterAll(() => server.stop());

const addDomain = async (): Promise<ReportedDomain> => {
  const { id, hostname } = await server.client.domains.create({ hostname: `d${++names}.example` });
  return { workspaceId: server.id, domainId: id, hostname, selector: 's' };
};
const mail = (passed: number, failed: number, source = '', isOwn = false): DmarcCount => ({
  passed,
  failed,
  source,
  isOwn,
});
const record = (
  domain: ReportedDomain,
  counts: DmarcCount[],
  { reportId = `r${++names}`, ageDays = 0, reporter = 'google.com' } = {},
) => {
  const begin = Math.floor((clock.now().getTime() - ageDays * day) / 1_000);
  const head = { orgName: 'Org', reportId, begin, end: begin, domain: domain.hostname };
  return recordReport(server.server.deps, domain, { reporter, head, counts });
};
const reportedFor = async ({ domainId }: ReportedDomain, workspaceId = server.id) =>
  (await findReportedMail({ ...server.server.deps, workspaceId }, [domainId])).get(domainId);

test('reports of several days and receivers add up, and the source of the most failing mail is named', async () => {
  const domain = await addDomain();
  const other = await addDomain();
  await record(domain, [mail(900, 1, '', true), mail(0, 3, '192.0.2.1'), mail(0, 4, '2001:db8::1')]);
  await record(domain, [mail(90, 0, '', true), mail(0, 3, '192.0.2.1', true)], {
    ageDays: 3,
    reporter: 'yahoo.com',
  });
  expect(await reportedFor(domain)).toEqual({
    passed: 990,
    failed: 11,
    worst: { source: '192.0.2.1', failed: 6, isOwn: true },
  });
  expect(await reportedFor(other)).toBeUndefined();
  expect(await reportedFor(domain, (await server.workspace()).id)).toBeUndefined();
});

test('a report counts once, however often and from how many connections at once it comes', async () => {
  const domain = await addDomain();
  const outcomes = await Promise.all(
    Array.from({ length: 5 }, () => record(domain, [mail(1, 0)], { reportId: 'same' })),
  );
  expect(outcomes.toSorted()).toEqual(['counted', 'repeated', 'repeated', 'repeated', 'repeated']);
  expect(await record(domain, [mail(1, 0)], { reportId: 'same', reporter: 'yahoo.com' })).toBe('counted');
  expect(await reportedFor(domain)).toMatchObject({ passed: 2 });
});

test('only days that a receiver can be reporting on count, and only the last 14 are shown', async () => {
  const domain = await addDomain();
  for (const ageDays of [91, 400_000, -2])
    expect(await record(domain, [mail(1, 1)], { ageDays })).toBe('outdated');
  expect(await record(domain, [mail(1, 1)], { ageDays: 20 })).toBe('counted');
  expect(await reportedFor(domain)).toBeUndefined();
});

test('a reporter has 100 reports a day, and takes none from others', async () => {
  Object.assign(reportLimits, { reportsPerDay: 3 });
  const domain = await addDomain();
  const outcomes: string[] = [];
  for (let time = 0; time < 4; time++) outcomes.push(await record(domain, [mail(1, 0)]));
  expect(outcomes).toEqual(['counted', 'counted', 'counted', 'limited']);
  expect(await record(domain, [mail(1, 0)], { reporter: 'yahoo.com' })).toBe('counted');
  expect(await reportedFor(domain)).toMatchObject({ passed: 4 });
});

test('a domain has a limited number of rows, of which the oldest give way', async () => {
  Object.assign(reportLimits, { rowsMax: 6 });
  const domain = await addDomain();
  for (const ageDays of [3, 1, 2, 0])
    await record(domain, [mail(0, 1, '192.0.2.1'), mail(0, 1, '192.0.2.2'), mail(1, 0)], { ageDays });
  const days = await server.rows<{ age: number }>(
    'select distinct ($2::date - day)::int as age from dmarc_counts where domain_id = $1 order by 1',
    [domain.domainId, clock.now().toISOString().slice(0, 10)],
  );
  expect(days.map(({ age }) => age)).toEqual([0, 1]);
  for (let time = 0; time < 5; time++) await record(domain, [mail(1, 0)]);
  const seen = await server.rows('select from seen_dmarc_reports where domain_id = $1', [domain.domainId]);
  expect(seen).toHaveLength(6);
});

test('nothing is left of a deleted domain, and a report on it that was on its way counts for nobody', async () => {
  const domain = await addDomain();
  await record(domain, [mail(1, 0)]);
  await server.client.domains.delete(domain.domainId);
  expect(await record(domain, [mail(1, 0)])).toBe('gone');
  for (const table of ['dmarc_counts', 'seen_dmarc_reports'])
    expect(await server.rows(`select from ${table} where domain_id = $1`, [domain.domainId])).toEqual([]);
});

test('after 90 days nothing is kept', async () => {
  const domain = await addDomain();
  await record(domain, [mail(1, 0)]);
  await record(domain, [mail(1, 0)], { ageDays: 80 });
  clock.advance(12 * day);
  await removeReports(server.server.deps);
  const counts = () => server.rows('select from dmarc_counts where domain_id = $1', [domain.domainId]);
  expect(await counts()).toHaveLength(1);
  clock.advance(80 * day);
  await removeReports(server.server.deps);
  expect(await counts()).toEqual([]);
  expect(await server.rows('select from seen_dmarc_reports')).toEqual([]);
});
