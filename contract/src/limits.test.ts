import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { limits, Plan, PlanLimits, plans } from './limits.ts';

const page = readFileSync(new URL('../../docs/spec/interface.md', import.meta.url), 'utf8');
const section = page.slice(page.indexOf('## 7.'), page.indexOf('## 8.'));
const rows = new Map(
  section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, name = '', ...cells]) => [name, cells.slice(0, 4)]),
);

const number = (cell: string) => Number(cell.replaceAll(',', ''));
const figures = (read: (plan: PlanLimits) => unknown) => Plan.options.map((plan) => read(plans[plan]));

describe('the plan table', () => {
  it('is that of the interface page', () => {
    expect(rows.get('')).toEqual(['Free', 'Pro', 'Scale', 'Business']);
    expect(figures((plan) => plan.inboxes)).toEqual(rows.get('inboxes')?.map(number));
    expect(figures((plan) => plan.emails_per_month)).toEqual(rows.get('emails sent a month')?.map(number));
    expect(figures((plan) => `${plan.storage_bytes / 2 ** 30} GB`)).toEqual(rows.get('attachment storage'));
    expect(figures((plan) => plan.mail_bytes)).toEqual(figures((plan) => 2 * plan.storage_bytes));
    const yes = (is: boolean) => (is ? 'yes' : 'no');
    const domains = rows.get('custom domains, semantic and hybrid search');
    expect(figures((plan) => yes(plan.custom_domains))).toEqual(domains);
    expect(figures((plan) => yes(plan.semantic_search))).toEqual(domains);
    expect(figures((plan) => yes(plan.dedicated_subdomain))).toEqual(rows.get('dedicated subdomain'));
    const rate = (plan: PlanLimits) =>
      `${plan.requests_per_second} (${plan.requests_burst.toLocaleString('en')})`;
    expect(figures(rate)).toEqual(rows.get('requests a second (burst)'));
  });

  it('holds on every plan', () => {
    for (const plan of Plan.options) expect(PlanLimits.parse(plans[plan])).toEqual(plans[plan]);
  });
});

describe('the fixed limits', () => {
  it('are those of the interface page', () => {
    expect(limits).toMatchObject({
      recipientsMax: 50,
      subjectCharactersMax: 998,
      bodyTextBytesMax: 5 * 2 ** 20,
      bodyHtmlBytesMax: 5 * 2 ** 20,
      referencesMax: 50,
      attachmentsMax: 100,
      attachmentBytesMax: 7_340_032,
      composedBytesMax: 10_485_760,
      inboundBytesMax: 25 * 2 ** 20,
      requestBytesMax: 2 ** 20,
      requestWithAttachmentsBytesMax: 34 * 2 ** 20,
      requestBesideAttachmentsBytesMax: 10.5 * 2 ** 20,
      labelsPerWorkspaceMax: 1_000,
      labelsPerMessageMax: 50,
      rulesPerWorkspaceMax: 10_000,
      webhooksPerWorkspaceMax: 50,
      socketsPerWorkspaceMax: 100,
      deliveriesByHandPerWorkspaceMax: 10,
      waitingRequestsPerWorkspaceMax: 100,
      clientIdCharactersMax: 255,
      idempotencyWindowMs: 86_400_000,
      threadMessagesMax: 200,
      snippetCharactersMax: 200,
      listedBodyBytesMax: 65_536,
      downloadLinkMs: 900_000,
      customHeadersMax: 25,
    });
  });

  it('try a webhook 8 times: at once, then after 5 s, 30 s, 2 min, 15 min, 1 h, 6 h and 24 h', () => {
    expect(limits.webhookRetryDelaysMs.map((ms) => ms / 1_000)).toEqual([
      0, 5, 30, 120, 900, 3_600, 21_600, 86_400,
    ]);
  });
});
