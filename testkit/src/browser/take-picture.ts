import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const folder = fileURLToPath(new URL('../../../node_modules/.postrider/screenshots', import.meta.url));

/**
 * Leaves a picture of a page in `node_modules/.postrider/screenshots`, if `POSTRIDER_TEST_PICTURES` is set: painting costs processor time
 * that a run needs only if somebody looks at the pictures.
 */
export async function takePicture(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  if (!process.env.POSTRIDER_TEST_PICTURES) return;
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage });
}
