import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { withinTime } from '../../../server/src/lib/concurrency/wait.ts';
import type { HostileServers } from './hostile-servers.ts';
import { framePlace, type MailPages, textAround } from './mail-pages.ts';

/** A set of mails, and the pages that show them. */
export interface MailTrial {
  /** A name of the trial in the hosts that the mails lead to. */
  name: string;
  mails: { id: number; takesPage: boolean }[];
  pages: MailPages;
}

/** The findings about each mail, by its number, and about whole pages. */
export interface Verdict {
  mails: Map<number, Set<string>>;
  pages: string[];
}

const mailsPerPage = 30;
const pagesAtOnce = 3;
const settleMs = 350;
/** A page without protection can be kept from answering for ever. Then it is given up, and that is a finding. */
const hangMs = 300_000;

/** Returns the host that a mail must not ask, and the one that only a new tab may ask after a click. */
export function mailHosts(trial: string, id: number): { host: string; linkHost: string } {
  return { host: `${id}.${trial}.hostile.test`, linkHost: `${id}.${trial}.links.test` };
}

/**
 * Shows mails in frames of pages, clicks into each, and returns what they did: connections and requests to their hosts, scripts, dialogs,
 * downloads, new tabs that know their opener or a referrer, and changes of the page around. An empty set means that a mail did nothing.
 */
export async function judgeMails(
  browser: Browser,
  servers: HostileServers,
  trial: MailTrial,
): Promise<Verdict> {
  const verdict: Verdict = {
    mails: new Map(trial.mails.map(({ id }) => [id, new Set<string>()])),
    pages: [],
  };
  const context = await browser.newContext({
    viewport: { width: 1_300, height: 900 },
    acceptDownloads: false,
  });
  try {
    await trial.pages.prepare?.(context);
    watchRequests(context, trial.name, verdict);
    const groups = groupMails(trial.mails);
    const judgeNext = async () => {
      for (let ids = groups.shift(); ids; ids = groups.shift()) {
        const judged = judgePage(context, trial.pages.urlOf(ids), ids, verdict).then(() => true);
        if (!(await withinTime(judged, hangMs, false)))
          verdict.pages.push(`page hangs (mails ${ids[0]} to ${ids.at(-1)})`);
      }
    };
    await Promise.all(Array.from({ length: pagesAtOnce }, judgeNext));
  } finally {
    await withinTime(context.close(), hangMs, undefined);
  }
  readServers(servers, trial.name, verdict);
  return verdict;
}

/** A mail that takes the page away is alone on it. */
function groupMails(mails: MailTrial['mails']): number[][] {
  const together = mails.filter(({ takesPage }) => !takesPage).map(({ id }) => id);
  const groups = mails.filter(({ takesPage }) => takesPage).map(({ id }) => [id]);
  for (let at = 0; at < together.length; at += mailsPerPage)
    groups.push(together.slice(at, at + mailsPerPage));
  return groups;
}

async function judgePage(
  context: BrowserContext,
  url: string,
  ids: number[],
  verdict: Verdict,
): Promise<void> {
  const page = await context.newPage();
  const find = (finding: string) => {
    if (ids.length === 1) verdict.mails.get(ids[0] as number)?.add(finding);
    else verdict.pages.push(`${finding} (mails ${ids[0]} to ${ids.at(-1)})`);
  };
  page.on('dialog', (dialog) => {
    const findings = verdict.mails.get(Number(dialog.message()));
    if (findings) findings.add('dialog');
    else find('dialog');
    void dialog.dismiss().catch(() => undefined);
  });
  page.on('download', () => find('download'));
  page.on('framenavigated', (frame) => {
    const id = linkedMail(frame.url());
    if (id !== null) verdict.mails.get(id)?.add('frame led away');
  });
  page.on('popup', (popup) => void closeLoaded(popup));
  await page.goto(url, { waitUntil: 'load' }).catch(() => find('page did not load'));
  await page.waitForTimeout(settleMs);
  await comparePage(page, url, ids, find);
  // A click moves the focus, so it only says something before the first one.
  const focused = await page.evaluate(() => document.activeElement?.tagName).catch(() => 'BODY');
  if (focused !== 'BODY') find('focus taken');
  await clickInto(page, ids.length);
  await page.waitForTimeout(settleMs);
  const messages = await comparePage(page, url, ids, find);
  for (const id of messages) verdict.mails.get(id)?.add('script ran');
  await page.close();
}

/** Closes a tab once it had the time to ask for what it wants. */
async function closeLoaded(popup: Page): Promise<void> {
  await popup.waitForLoadState().catch(() => undefined);
  await popup.close().catch(() => undefined);
}

/** Returns the messages that the page received from scripts in its frames. */
async function comparePage(
  page: Page,
  url: string,
  ids: number[],
  find: (finding: string) => void,
): Promise<number[]> {
  if (page.url() !== url) find('page led away');
  const now = await page
    .evaluate(() => ({
      title: document.title,
      text: (document.body.textContent ?? '').replace(/\s+/g, ' ').trim(),
      frames: document.querySelectorAll('iframe').length,
      scrolled: window.scrollY,
      received: ((window as { received?: unknown }).received ?? []) as number[],
    }))
    .catch(() => null);
  if (now === null) return [];
  if (now.title !== 'Inbox') find('title changed');
  if (now.text !== textAround(ids) || now.frames !== ids.length) find('page changed');
  if (now.scrolled !== 0) find('page scrolled');
  return now.received;
}

/** Clicks near the corner of each frame, then on its first link by the keyboard. */
async function clickInto(page: Page, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const { x, y } = framePlace(at);
    await page.mouse.click(x + 30, y + 30).catch(() => undefined);
    await page.keyboard.press('Tab').catch(() => undefined);
    await page.keyboard.press('Enter').catch(() => undefined);
  }
}

/** The browser's reasons for not sending a request: a policy, and the origin of the page. */
const refusals = new Set(['csp', 'origin']);

/** Requests count by their kind, also those that found no server. Those that the browser refused to send do not. */
function watchRequests(context: BrowserContext, trial: string, verdict: Verdict): void {
  const add = (request: Request) => {
    const id = readMailNumber(URL.parse(request.url())?.host ?? '', trial, 'hostile');
    if (id !== null) verdict.mails.get(id)?.add(`request for ${request.resourceType()}`);
  };
  context.on('requestfinished', add);
  context.on('requestfailed', (request) => {
    if (!refusals.has(request.failure()?.errorText ?? '')) add(request);
  });
}

function readServers(servers: HostileServers, trial: string, verdict: Verdict): void {
  for (const host of servers.connections) {
    const id = readMailNumber(host, trial, 'hostile');
    if (id !== null) verdict.mails.get(id)?.add('connection');
  }
  for (const { host, path, method, referrer, cookie } of servers.requests) {
    const id = readMailNumber(host, trial, 'hostile') ?? readMailNumber(host, trial, 'links');
    const findings = id === null ? undefined : verdict.mails.get(id);
    if (method !== 'GET') findings?.add(`method ${method}`);
    if (referrer !== undefined && !referrer.includes(host)) findings?.add('referrer sent');
    if (cookie !== undefined) findings?.add('cookie sent');
    if (path === '/script-ran.gif') findings?.add('script ran');
    if (path === '/opener-true.gif') findings?.add('opener known');
  }
}

/** Returns the number of the mail that has a link to this address. */
function linkedMail(url: string): number | null {
  return /^\d+\.\w+\.links\.test$/.test(URL.parse(url)?.host ?? '')
    ? Number.parseInt(new URL(url).host, 10)
    : null;
}

function readMailNumber(host: string, trial: string, kind: 'hostile' | 'links'): number | null {
  const [id, name, its] = host.split('.');
  return name === trial && its === kind ? Number(id) : null;
}
