import type { GeneratedFile } from '../generated-file.ts';
import { errorsPage, eventSections, limitsPage, webhookSections } from './catalogue-pages.ts';
import { nounPages } from './noun-pages.ts';

const more: Record<string, () => string[]> = { 'events.md': eventSections, 'webhooks.md': webhookSections };

/** Returns every page of the reference, the table of contents first. */
export function allPages(): GeneratedFile[] {
  const pages = [...nounPages((file) => more[file]?.() ?? []), errorsPage(), limitsPage()];
  const titles = pages.map(({ file, text }) => `- [${text.slice(2, text.indexOf('\n'))}](${file})`);
  const index = [
    '# Reference',
    'Made from the contract; change the contract and run `node scripts/reference.ts`.',
    titles.join('\n'),
  ];
  const all = [{ file: 'README.md', text: `${index.join('\n\n')}\n` }, ...pages];
  return all.map(({ file, text }) => ({ path: `docs/reference/${file}`, text }));
}
