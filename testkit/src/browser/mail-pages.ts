import { startPageServer } from './page-server.ts';

/** A mail as it is served to a frame. */
export interface ServedMail {
  id: number;
  document: string;
  headers: Record<string, string>;
  /** Whether it takes the page around it away. */
  takesPage: boolean;
}

/** A server of pages that show mails in frames. */
export interface MailPages {
  url: string;
  /** Returns the text that a page shows around its frames. */
  textOf(ids: number[]): string;
  close(): Promise<void>;
}

const columns = 6;
const frame = { width: 200, height: 150 };
const script = 'addEventListener("message", ({ data }) => (window.received ??= []).push(data))';

/** Returns where the frame with the given index is on a page. */
export function framePlace(at: number): { x: number; y: number } {
  return {
    x: 10 + (at % columns) * (frame.width + 10),
    y: 80 + Math.floor(at / columns) * (frame.height + 10),
  };
}

/**
 * Starts a server with a page for any mails: `/page?ids=1,2`. The page has a session cookie and a headers of its own, as the page of a mail
 * reader has. Nothing but the headers of the mails protects it: the frames have no `sandbox` attribute.
 */
export function startMailPages(mails: ServedMail[], pageHeaders: Record<string, string>): Promise<MailPages> {
  const byId = new Map(mails.map((mail) => [mail.id, mail]));
  const textOf = (ids: number[]) => `Inbox ${ids.length} messages`;
  return startPageServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const mail = byId.get(Number(/^\/mail\/(\d+)$/.exec(pathname)?.[1] ?? Number.NaN));
    if (mail) response.writeHead(200, mail.headers).end(mail.document);
    else if (pathname === '/page.js')
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else if (pathname === '/page') {
      const ids = (searchParams.get('ids') ?? '').split(',').map(Number);
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'set-cookie': 'session=secret; SameSite=Lax; Path=/',
        ...pageHeaders,
      });
      response.end(writePage(ids));
    } else response.writeHead(404).end();
  }).then(({ url, close }) => ({ url, textOf, close }));
}

function writePage(ids: number[]): string {
  const frames = ids.map((id, at) => {
    const { x, y } = framePlace(at);
    const style = `position:absolute;border:0;left:${x}px;top:${y}px;width:${frame.width}px;height:${frame.height}px`;
    return `<iframe title="Mail ${id}" src="/mail/${id}" style="${style}"></iframe>`;
  });
  return `<!doctype html><html lang="en"><title>Inbox</title><script src="/page.js"></script>
<h1>Inbox</h1>
<p>${ids.length} messages</p>${frames.join('\n')}</html>`;
}
