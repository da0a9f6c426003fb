import { type ConsoleBrowser, signedIn, type TestPerson } from '@postrider/testkit/http/console-browser.ts';
import { sayHttp } from '@postrider/testkit/http/raw-http.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Message } from 'postrider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkedFramePath, linkedFramesPath } from '../../../src/approvals/approval-link.ts';

/** A picture of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let server: TestServer;
let person: ConsoleBrowser & { person: TestPerson };
let message: Message;

/** Sends a mail to a new inbox by SMTP, and returns the message. */
const receive = async (mail: Partial<Parameters<typeof sendMail>[1]>) => {
  const inbox = await server.inbox();
  await sendMail(server.smtpPort, { from: 'ada@remote.example', to: inbox.address, ...mail });
  const [received] = (await server.client.messages.list({ inbox_id: inbox.id })).messages;
  if (!received) throw new Error('A mail that was answered with 250 is not listed.');
  return received;
};

beforeAll(async () => {
  server = await joinTestServer();
  person = await signedIn(server, 'member');
  message = await receive({
    subject: 'Offer <b>',
    html: '<p onclick="x()">Hello <img src="cid:pixel@x"> <img src="https://track.example/1.gif"><script>x()</script></p>',
    attachments: [
      { filename: 'pixel.png', content: pixel, cid: 'pixel@x', contentType: 'image/png' },
      { filename: 'drawing.svg', content: '<svg xmlns="http://www.w3.org/2000/svg"/>', cid: 'svg@x' },
      { filename: 'plan.txt', content: 'A plan.' },
    ],
  });
});
afterAll(() => server.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  server.request(path, { key: null, headers: { cookie: person.cookie, ...headers } });
const frame = (query = '', id = message.id, workspace = server.id) =>
  get(`/console/mail/${workspace}/${id}${query}`);

describe('the page of an HTML mail', () => {
  test('has its own headers, under which only the script that measures it runs and nothing is loaded', async () => {
    const { status, headers, text } = await frame();
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy') ?? '';
    const [, nonce = ''] =
      /^sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; default-src 'none'; script-src 'nonce-([\w-]{22})'; /.exec(
        policy,
      ) ?? [];
    expect(nonce).not.toBe('');
    expect((await frame()).headers.get('content-security-policy')).not.toContain(nonce);
    expect(policy).toContain(`; img-src data: ${server.url}/console/mail/images/; `);
    expect(policy).toContain("; frame-ancestors 'self'; ");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.getSetCookie()).toEqual([]);
    expect(text).toContain('<title>Offer &lt;b&gt;</title>');
    expect(text).toContain('Hello');
    const [before, after] = text.split('</script>');
    expect(before).toContain(`<meta charset="utf-8">\n<script nonce="${nonce}">`);
    expect(after).not.toMatch(/script|onclick|track\.example/);
    expect(headers.get('x-images-held')).toBe('1');
  });

  test('loads the images of other servers once the reader asked for them', async () => {
    const { headers, text } = await frame('?images=1');
    expect(headers.get('content-security-policy')).toContain(' https: http:; ');
    expect(text).toContain('src="https://track.example/1.gif"');
    expect(headers.get('x-images-held')).toBe('0');
  });

  test('is unknown to other workspaces, for mail without HTML and without a session', async () => {
    const theirs = await server.workspace();
    const stranger = await signedIn(server, 'owner', theirs);
    const asked = async (cookie: string, workspace: string, id = message.id) =>
      (await get(`/console/mail/${workspace}/${id}`, { cookie })).status;
    expect(await asked(stranger.cookie, server.id)).toBe(404);
    expect(await asked(stranger.cookie, theirs.id)).toBe(404);
    expect(await asked('', server.id)).toBe(401);
    expect(await asked(person.cookie, server.id, 'msg_01m7yyvjvwe8jaq5sc6ne7a3b2')).toBe(404);
    expect(await asked(person.cookie, server.id, 'x')).toBe(404);
    const plain = await receive({ subject: 'Plain', text: 'Hello' });
    expect(await asked(person.cookie, server.id, plain.id)).toBe(404);
    const { headers, text } = await get(`/console/mail/${server.id}/${plain.id}`, { cookie: person.cookie });
    expect(text).toContain('<p>This message no longer exists, or it has no formatted text.</p>');
    const out = await get(`/console/mail/${server.id}/${message.id}`, { cookie: '' });
    expect(out.headers.get('content-type')).toMatch(/^text\/html/);
    expect(out.text).toContain('<p>You are signed out. Sign in again to read this mail.</p>');
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  test('is opened without a session by the link of an approval, and not by a link to the original', async () => {
    const opened = async (path: string) => (await server.request(path, { key: null })).status;
    const tokenOf = (path: string) => path.split('/').at(-1);
    const path = linkedFramePath(server.server.deps, server.id, message.id);
    const { url } = await server.client.messages.raw(message.id);
    expect(await opened(path)).toBe(200);
    expect(await opened(new URL(url).pathname)).toBe(200);
    expect(await opened(`${linkedFramesPath}/${tokenOf(url)}`)).toBe(404);
    expect(await opened(`/files/${tokenOf(path)}`)).toBe(404);
  });

  test('is not made for a host that could add to its policy', async () => {
    const lines = [
      `GET /console/mail/${server.id}/${message.id} HTTP/1.1`,
      "Host: x.example; script-src 'unsafe-inline'",
      `Cookie: ${person.cookie}`,
    ];
    // Elsewhere than on this machine the name of the cookie has no prefix, over HTTP.
    const bytes = `${lines.join('\r\n').replace('__Host-', '')}\r\n\r\n`;
    const { status } = await sayHttp(server.url, bytes);
    expect(status).toBe(400);
  });
});

describe('an inline image', () => {
  const linkOf = (text: string) => /src="(\/console\/mail\/images\/[^"]+)"/.exec(text)?.[1] ?? '';

  test('is loaded by a link alone, because the page has no cookie', async () => {
    const { status, headers } = await server.request(linkOf((await frame()).text), { key: null });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('image/png');
    expect(headers.get('content-length')).toBe(String(pixel.length));
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('is a picture made of pixels, and neither a drawing nor another file', async () => {
    const image = linkOf((await frame()).text);
    expect((await server.request(`${image.slice(0, -1)}x`, { key: null })).status).toBe(404);
    for (const { url, filename } of message.attachments) {
      const token = url.split('/files/')[1];
      const { status } = await server.request(`/console/mail/images/${token}`, { key: null });
      expect([filename, status]).toEqual([filename, filename === 'pixel.png' ? 200 : 404]);
    }
  });
});
