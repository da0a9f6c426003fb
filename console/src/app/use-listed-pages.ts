import { useIsOwner } from '../lib/workspace.ts';
import { pages } from './navigation.ts';
import type { Page } from './page.ts';

/** A page that the navigation and the palette list. */
export type ListedPage = Page & Required<Pick<Page, 'entry'>>;

/** Returns the pages that the person may open, in the order of the navigation. */
export function useListedPages(): ListedPage[] {
  const isOwner = useIsOwner();
  return pages.filter(isListed).filter(({ ownerOnly }) => isOwner || !ownerOnly);
}

function isListed(page: Page): page is ListedPage {
  return page.entry !== undefined;
}
