/*
 * Hostile mails from SMTP to the frame of a person who is signed in, in a real browser. `hostile-html.spec.ts` tries each protection
 * alone.
 */
import { type HostileServers, startHostileServers } from '@postrider/testkit/browser/hostile-servers.ts';
import { judgeMails, mailHosts } from '@postrider/testkit/browser/judge-mails.ts';
import { type MailPages, pageScript, writePage } from '@postrider/testkit/browser/mail-pages.ts';
import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { browserCookies } from '@postrider/testkit/browser/person-pages.ts';
import { type ConsoleBrowser, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostileHtml, writeHostileHtml } from '../../fixtures/hostile-html/hostile-html.ts';

const trial = 'console';
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; " +
  "font-src 'self'; frame-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'";

let server: TestServer;
let servers: HostileServers;
let browser: Awaited<ReturnType<typeof openBrowser>>;

beforeAll(async () => {
  server = await joinTestServer();
  servers = await startHostileServers();
  browser = await openBrowser({ args: servers.browserArgs });
});
afterAll(async () => {
  await browser?.close();
  await servers?.close();
  await server?.stop();
});

/** Sends all hostile mails to one inbox. Returns the ids of their messages by their numbers. */
async function receiveAll(): Promise<Map<number, string>> {
  const inbox = await server.inbox();
  await Promise.all(
    hostileHtml.map(({ html }, id) =>
      sendMail(server.smtpPort, {
        from: 'mallory@remote.example',
        to: inbox.address,
        subject: String(id),
        html: writeHostileHtml(html, { id, ...mailHosts(trial, id) }),
      }),
    ),
  );
  await server.filed();
  const messages = new Map<number, string>();
  for await (const { id, subject } of server.client.messages.list({ inbox_id: inbox.id }))
    messages.set(Number(subject), id);
  return messages;
}

/** Pages at the address of the server, which the browser gets from the test. They show the frames of the server. */
function pagesAt(person: ConsoleBrowser, messages: Map<number, string>, statuses: number[]): MailPages {
  const folder = `${server.url}/console/test`;
  const frames = `/console/mail/${server.id}`;
  return {
    urlOf: (ids) => `${folder}/page?ids=${ids.join(',')}`,
    prepare: async (context) => {
      await context.addCookies(browserCookies(person));
      await context.route(`${folder}/page.js`, (route) =>
        route.fulfill({ contentType: 'text/javascript', body: pageScript }),
      );
      await context.route(`${folder}/page?*`, (route, request) => {
        const ids = (new URL(request.url()).searchParams.get('ids') ?? '').split(',').map(Number);
        return route.fulfill({
          contentType: 'text/html; charset=utf-8',
          headers: { 'content-security-policy': pagePolicy, 'cross-origin-opener-policy': 'same-origin' },
          body: writePage(ids, (id) => `${frames}/${messages.get(id)}`),
        });
      });
      context.on('response', (response) => {
        if (response.url().startsWith(server.url + frames)) statuses.push(response.status());
      });
    },
  };
}

test('hostile mail that came in by SMTP does nothing when a person reads it and clicks into it', async () => {
  const messages = await receiveAll();
  expect(messages.size).toBe(hostileHtml.length);
  const person = await signedIn(server, 'member');
  const statuses: number[] = [];
  const mails = hostileHtml.map((_mail, id) => ({ id, takesPage: false }));
  const verdict = await judgeMails(browser, servers, {
    name: trial,
    mails,
    pages: pagesAt(person, messages, statuses),
  });
  const found = [...verdict.mails].filter(([, findings]) => findings.size > 0);
  expect(found.map(([id, findings]) => [hostileHtml[id]?.name, ...findings])).toEqual([]);
  expect(verdict.pages).toEqual([]);
  expect(statuses).toEqual(mails.map(() => 200));
  const opened = servers.requests.filter(({ host }) => host.endsWith(`.${trial}.links.test`));
  expect(opened.length).toBeGreaterThan(8);
});
