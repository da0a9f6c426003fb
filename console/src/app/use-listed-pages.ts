import { useIsOwner } from '../lib/workspace.ts';
import { type Page, pages } from './navigation.ts';

/** A page that the navigation and the palette list. */
export type ListedPage = Page & Required<Pick<Page, 'entry'>>;

/** The paths are those of links, so without optional parameters. */
const listed = pages
  .filter(isListed)
  .map((page): ListedPage => ({ ...page, path: page.path.replace(/\/:\w+\?$/, '') }));

/** Returns the pages that the person may open, in the order of the navigation. */
export function useListedPages(): ListedPage[] {
  const isOwner = useIsOwner();
  return listed.filter(({ ownerOnly }) => isOwner || !ownerOnly);
}

function isListed(page: Page): page is ListedPage {
  return page.entry !== undefined;
}
