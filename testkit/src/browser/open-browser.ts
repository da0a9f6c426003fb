import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './find-chromium.ts';

/** Arguments for the process of the browser, such as rules for the names of hosts. */
export interface BrowserOptions {
  args?: string[];
}

/**
 * Without the first one, Chromium does not start as root. The second one keeps it from filling `/dev/shm`, which has 64 MB in a
 * container. No flag that switches off a protection of pages belongs here, because tests rely on these protections.
 */
const ownArgs = ['--no-sandbox', '--disable-dev-shm-usage'];

/** Pages are waited for so long: a busy machine is slow, and only what hangs fails. */
const hangMs = 300_000;

/**
 * Opens a headless Chromium. A test file opens one, gives each test a context of its own, and closes it at the end. Throws an error that
 * says what to do if the machine has no Chromium.
 */
export async function openBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const { path, env } = await findChromium();
  const browser = await chromium.launch({
    executablePath: path,
    args: [...ownArgs, ...(options.args ?? [])],
    env: { ...process.env, ...env },
    timeout: hangMs,
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (contextOptions) => {
    const context = await newContext(contextOptions);
    context.setDefaultTimeout(hangMs);
    return context;
  };
  return browser;
}
