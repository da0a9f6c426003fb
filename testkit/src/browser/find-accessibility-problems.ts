import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Returns what a page breaks of WCAG 2.2, levels A and AA, as far as axe can tell: one line for each element, with the rule, the
 * element and what to change. Frames are left out: they show mail, in which no script can run, and axe would wait for one for ever.
 */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    // Otherwise it opens a page of its own to put the results of frames together, and describes also what is right.
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .withTags(wcagTags)
    .exclude('iframe')
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}
