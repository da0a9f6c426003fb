/*
 * Shows hostile mails in a real browser, in frames of a page like that of a mail reader, and judges by what leaves the browser and by what
 * changes around the frames. The same judge sees the mails without any protection, so that a blind judge would be noticed.
 */
import { type HostileServers, startHostileServers } from '@postrider/testkit/browser/hostile-servers.ts';
import { judgeMails, mailHosts, type Verdict } from '@postrider/testkit/browser/judge-mails.ts';
import { type ServedMail, startMailPages } from '@postrider/testkit/browser/mail-pages.ts';
import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { startPageServer } from '@postrider/testkit/browser/page-server.ts';
import { seededRandom } from '@postrider/testkit/lib/seeded-random.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { frameHeaders } from '../../../src/mail/show/frame-headers.ts';
import { createNonce, measurePage } from '../../../src/mail/show/measure-page.ts';
import { renderHtmlMail } from '../../../src/mail/show/render-html-mail.ts';
import { hostileHtml, writeHostileHtml } from '../../fixtures/hostile-html/hostile-html.ts';
import { strangeStyles } from '../../fixtures/hostile-html/strange-styles.ts';

/** The headers of the console's pages, as far as they protect the page around a mail. */
const consoleHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; " +
    "font-src 'self'; frame-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
};
const plainHeaders = { 'content-type': 'text/html; charset=utf-8' };
const limitMs = 1_800_000;
/** A connection carries no request. Only cleaning, which takes frames out, keeps a browser from one. */
const hasFrame = /<i?frame\b/i;

let browser: Awaited<ReturnType<typeof openBrowser>>;
let servers: HostileServers;

beforeAll(async () => {
  servers = await startHostileServers();
  browser = await openBrowser({ args: servers.browserArgs });
});

afterAll(async () => {
  await browser?.close();
  await servers?.close();
});

function clean(html: string, remoteImages: boolean, nonce?: string): string {
  const options = { title: 'A mail', lang: 'en', remoteImages, inlineImages: {}, ...(nonce && { nonce }) };
  return renderHtmlMail(html, options).document;
}

/** The protections of a trial: what is removed from the mails, the headers of their frames, and those of the page around. */
interface Protection {
  cleaned: boolean;
  headers: boolean;
  remoteImages?: boolean;
}

function tryAll(name: string, { cleaned, headers, remoteImages = false }: Protection): Promise<Verdict> {
  const mails = hostileHtml.map(({ html, takesPage }, id) => {
    const written = writeHostileHtml(html, { id, ...mailHosts(name, id) });
    const nonce = createNonce();
    return {
      id,
      // Our own script is there in each trial, so that it is tried what a mail could do with it.
      document: cleaned ? clean(written, remoteImages, nonce) : `${measurePage(nonce)}${written}`,
      headers: headers ? frameHeaders({ remoteImages, nonce }) : plainHeaders,
      takesPage: takesPage && !cleaned && !headers,
    };
  });
  return judgeServed(name, mails, headers ? consoleHeaders : {});
}

async function judgeServed(name: string, mails: ServedMail[], pageHeaders: Record<string, string>) {
  const pages = await startMailPages(mails, pageHeaders);
  try {
    return await judgeMails(browser, servers, { name, mails, pages });
  } finally {
    await pages.close();
  }
}

/** Returns what was found, with the names of the mails. */
function findings({ mails, pages }: Verdict): string[] {
  const found = [...mails].filter(([, set]) => set.size > 0);
  return [...found.map(([id, set]) => `${hostileHtml[id]?.name}: ${[...set].sort().join(', ')}`), ...pages];
}

function countWith({ mails }: Verdict, finding: string): number {
  return [...mails.values()].filter((set) => set.has(finding)).length;
}

test('the corpus has distinct mails', () => {
  expect(new Set(hostileHtml.map(({ html }) => html)).size).toBe(hostileHtml.length);
  expect(hostileHtml.length).toBeGreaterThanOrEqual(150);
});

describe.concurrent('hostile mails', () => {
  test(
    'do nothing in the frame of a mail reader, even when somebody clicks into them',
    async ({ expect }) => {
      const verdict = await tryAll('both', { cleaned: true, headers: true });
      expect(findings(verdict)).toEqual([]);
      // The frames did show the mails: their links open tabs.
      const opened = servers.requests.filter(({ host }) => host.endsWith('.both.links.test'));
      expect(new Set(opened.map(({ host }) => host)).size).toBeGreaterThan(8);
    },
    limitMs,
  );

  test(
    'get nothing but their images if the reader asks for them',
    async ({ expect }) => {
      const verdict = await tryAll('images', { cleaned: true, headers: true, remoteImages: true });
      const found = [...verdict.mails.values()].filter((set) => set.size > 0);
      expect(new Set(found.map((set) => [...set].sort().join(', ')))).toEqual(
        new Set(['connection, request for image']),
      );
      expect(verdict.pages).toEqual([]);
      expect(found.length).toBeGreaterThan(40);
    },
    limitMs,
  );

  test(
    'do nothing if only the headers protect from them, but that newer browsers connect for a frame that they do not load',
    async ({ expect }) => {
      const verdict = await tryAll('headers', { cleaned: false, headers: true });
      for (const [id, found] of verdict.mails)
        if (hasFrame.test(hostileHtml[id]?.html ?? '')) found.delete('connection');
      expect(findings(verdict)).toEqual([]);
    },
    limitMs,
  );

  test(
    'do nothing if they are only cleaned',
    async ({ expect }) => {
      expect(findings(await tryAll('cleaned', { cleaned: true, headers: false }))).toEqual([]);
    },
    limitMs,
  );

  test(
    'are caught by the same judge if nothing protects from them',
    async ({ expect }) => {
      const verdict = await tryAll('raw', { cleaned: false, headers: false });
      const caught = [...verdict.mails.values()].filter((set) => set.size > 0).length;
      expect(caught / hostileHtml.length).toBeGreaterThan(0.6);
      expect(countWith(verdict, 'script ran')).toBeGreaterThan(60);
      for (const finding of ['dialog', 'opener known', 'referrer sent', 'frame led away', 'page led away'])
        expect(countWith(verdict, finding), finding).toBeGreaterThan(0);
      expect(countWith(verdict, 'method POST')).toBeGreaterThan(0);
      expect(verdict.pages.length).toBeGreaterThan(0);
    },
    limitMs,
  );
});

test(
  'styles in strange spellings load an image as they are, and nothing once they are cleaned',
  async () => {
    const trial = async (name: string, cleaned: boolean) => {
      const { host } = mailHosts(name, 0);
      const html = strangeStyles(host, seededRandom(20_261_128), 600).join('\n');
      const document = cleaned ? clean(html, false) : html;
      const mail = { id: 0, document, headers: plainHeaders, takesPage: false };
      await judgeServed(name, [mail], {});
      const asked = servers.requests.filter((request) => request.host === host);
      return new Set(asked.map(({ path }) => path)).size;
    };
    expect(await trial('strange', false)).toBeGreaterThan(100);
    expect(await trial('tamed', true)).toBe(0);
  },
  limitMs,
);

test('a page of another origin cannot show a mail in a frame', async () => {
  const mail = await startPageServer((request, response) => {
    if (request.url === '/mail')
      response.writeHead(200, frameHeaders({ remoteImages: false })).end(clean('<p>Hi</p>', false));
    else response.end('reader');
  });
  const page = await browser.newPage();
  const frameOf = async (origin: string) => {
    await page.goto(origin);
    await page.setContent(`<iframe src="${mail.url}/mail"></iframe>`);
    return page.frames().at(-1)?.url();
  };
  const other = await startPageServer((_request, response) => response.end('other'));
  expect(await frameOf(mail.url)).toBe(`${mail.url}/mail`);
  expect(await frameOf(other.url)).toMatch(/^chrome-error:/);
  await page.close();
  await other.close();
  await mail.close();
});

test('inline images at an address of our own are loaded without the cookie of the session', async () => {
  const asked: { path: string; cookie: string | undefined }[] = [];
  const reader = await startPageServer((request, response) => {
    const path = request.url ?? '/';
    if (path.startsWith('/inline/')) {
      asked.push({ path, cookie: request.headers.cookie });
      // With `same-origin`, the browser would not show it: a page with `sandbox` has an origin of its own.
      response.writeHead(200, {
        'content-type': 'image/gif',
        'cross-origin-resource-policy': 'cross-origin',
      });
      response.end(Buffer.from('R0lGODlhAQABAAAAACw=', 'base64'));
    } else if (path === '/mail') {
      const html = '<img src="cid:a"><img src="cid:b">';
      const inlineImages = { a: `${reader.url}/inline/a.gif`, b: `${reader.url}/other/b.gif` };
      const mail = renderHtmlMail(html, { title: 'A mail', lang: 'en', remoteImages: false, inlineImages });
      const imageSources = [`${reader.url}/inline/`];
      response.writeHead(200, frameHeaders({ remoteImages: false, imageSources })).end(mail.document);
    } else {
      asked.push({ path, cookie: undefined });
      response.writeHead(200, { 'set-cookie': 'session=secret; SameSite=Lax', 'content-type': 'text/html' });
      response.end('<iframe src="/mail"></iframe>');
    }
  });
  const page = await browser.newPage();
  const finished: string[] = [];
  page.on('requestfinished', (request) => finished.push(new URL(request.url()).pathname));
  await page.goto(`${reader.url}/page`, { waitUntil: 'load' });
  expect(asked.filter(({ path }) => path !== '/favicon.ico')).toEqual([
    { path: '/page', cookie: undefined },
    { path: '/inline/a.gif', cookie: undefined },
  ]);
  expect(finished).toContain('/inline/a.gif');
  await page.close();
  await reader.close();
});
