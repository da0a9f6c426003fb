import type { BrowserContext } from 'playwright-core';
import { startPageServer } from './page-server.ts';

/** A mail as it is served to a frame. */
export interface ServedMail {
  id: number;
  document: string;
  headers: Record<string, string>;
  /** Whether it takes the page around it away. */
  takesPage: boolean;
}

/** Pages that show mails in frames. */
export interface MailPages {
  /** Returns the address of a page with the mails of these numbers. */
  urlOf(ids: number[]): string;
  /** Makes the pages known to a browser, if they are not on a server, and signs it in. */
  prepare?(context: BrowserContext): Promise<void>;
}

/** Pages on a server of their own. */
export interface ServedPages extends MailPages {
  close(): Promise<void>;
}

const columns = 6;
const frame = { width: 200, height: 150 };
/** Keeps the numbers that a page receives, which mails send. What our own script in their frames tells is no number. */
export const pageScript =
  'addEventListener("message", ({ data }) => typeof data === "number" && (window.received ??= []).push(data))';

/** Returns where the frame with the given index is on a page. */
export function framePlace(at: number): { x: number; y: number } {
  return {
    x: 10 + (at % columns) * (frame.width + 10),
    y: 80 + Math.floor(at / columns) * (frame.height + 10),
  };
}

/**
 * Starts a server with a page for any mails. The page has a session cookie and headers of its own, as the page of a mail reader has.
 * Nothing but the headers of the mails protects it: the frames have no `sandbox` attribute.
 */
export async function startMailPages(
  mails: ServedMail[],
  pageHeaders: Record<string, string>,
): Promise<ServedPages> {
  const byId = new Map(mails.map((mail) => [mail.id, mail]));
  const { url, close } = await startPageServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const mail = byId.get(Number(/^\/mail\/(\d+)$/.exec(pathname)?.[1] ?? Number.NaN));
    if (mail) response.writeHead(200, mail.headers).end(mail.document);
    else if (pathname === '/page.js')
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(pageScript);
    else if (pathname === '/page') {
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'set-cookie': 'session=secret; SameSite=Lax; Path=/',
        ...pageHeaders,
      });
      response.end(writePage((searchParams.get('ids') ?? '').split(',').map(Number), (id) => `/mail/${id}`));
    } else response.writeHead(404).end();
  });
  return { urlOf: (ids) => `${url}/page?ids=${ids.join(',')}`, close };
}

/** Returns the text that a page shows around its frames. */
export function textAround(ids: number[]): string {
  return `Inbox ${ids.length} messages`;
}

/** Returns a page with a frame for each mail. It loads `pageScript` from `page.js` next to it. */
export function writePage(ids: number[], frameOf: (id: number) => string): string {
  const frames = ids.map((id, at) => {
    const { x, y } = framePlace(at);
    const style = `position:absolute;border:0;left:${x}px;top:${y}px;width:${frame.width}px;height:${frame.height}px`;
    return `<iframe title="Mail ${id}" src="${frameOf(id)}" style="${style}"></iframe>`;
  });
  return `<!doctype html><html lang="en"><title>Inbox</title><script src="page.js"></script>
<h1>Inbox</h1>
<p>${ids.length} messages</p>${frames.join('\n')}</html>`;
}
