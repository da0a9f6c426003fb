/* Copies some of the pictures that the test of all pages of the console leaves into the documentation. */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const from = join(root, 'node_modules/.postrider/screenshots');
const to = join(root, 'docs/images');

/** The pictures by their names in the documentation. */
const pictures = {
  threads: 'threads-one-desk-light',
  approval: 'approvals-one-desk-light',
  'approval-phone': 'approvals-one-phone-light',
  keys: 'keys-desk-dark',
  webhook: 'webhooks-one-desk-light',
  domain: 'domains-one-desk-light',
  'delivery-log': 'decisions-desk-light',
  usage: 'usage-desk-dark',
};

if (!existsSync(from)) {
  console.error(
    'There are no pictures yet. Run: POSTRIDER_TEST_PICTURES=1 pnpm exec vitest run --project database every-page',
  );
  process.exit(1);
}
mkdirSync(to, { recursive: true });
for (const [name, picture] of Object.entries(pictures))
  copyFileSync(join(from, `${picture}.png`), join(to, `console-${name}.png`));
console.log(`${Object.keys(pictures).length} pictures are in docs/images.`);
