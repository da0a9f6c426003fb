import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const folder = fileURLToPath(new URL('../../../node_modules/.postrider/screenshots', import.meta.url));

/**
 * Leaves a picture of a page in `node_modules/.postrider/screenshots` to be looked at, if `POSTRIDER_TEST_PICTURES` is set. To paint
 * pages takes a third of the time that the tests of all pages take.
 */
export async function takePicture(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  if (!process.env.POSTRIDER_TEST_PICTURES) return;
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage });
}
