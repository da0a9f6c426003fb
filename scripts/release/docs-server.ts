import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { openBrowser } from '../../testkit/src/browser/open-browser.ts';

type Browser = Awaited<ReturnType<typeof openBrowser>>;

const entry = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));

/** A server of its own, without mail. */
export interface DocsServer {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  stop(): Promise<void>;
}

/** Starts the server of this checkout on free ports, with an empty data folder. Rejects with its output if it ends before it is ready. */
export async function startDocsServer(): Promise<DocsServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'postrider-docs-check-'));
  const child = spawn(process.execPath, [entry, 'start'], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH ?? '',
      POSTRIDER_DATA_DIR: dataDir,
      POSTRIDER_HTTP_PORT: '0',
      POSTRIDER_SMTP_PORT: '0',
    },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let output = '';
  const url = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const found = /API +(http:\S+)\/v1/.exec(output)?.[1];
        if (found && output.includes('└')) resolve(found);
      });
  });
  const ready = await Promise.race([url, ended]);
  if (ready === undefined) throw new Error(`The server ended before it was ready:\n${output}`);
  return {
    url: ready,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** The needs of a browser with an empty cache for one page. */
export interface FirstPage {
  requests: number;
  /** Bytes over the wire, with headers. */
  bytes: number;
}

/** Opens a page with an empty cache, and counts all that is asked for until nothing follows. */
export async function measureFirstPage(browser: Browser, url: string): Promise<FirstPage> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    const found: FirstPage = { requests: 0, bytes: 0 };
    session.on('Network.requestWillBeSent', () => {
      found.requests += 1;
    });
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      found.bytes += encodedDataLength;
    });
    await page.goto(url, { waitUntil: 'networkidle' });
    return found;
  } finally {
    await context.close();
  }
}
