/** What the parts of pages say. */
export const partsText = {
  copy: 'Copy',
  copied: 'Copied',
  cancel: 'Cancel',
  close: 'Close',
  loadMore: 'Load more',
  loading: 'Loading',
  actions: 'Actions',
  clearFilters: 'Clear the filters',
  nothingMatches: 'Nothing matches the filters.',
  inbox: 'Inbox',
  clearSearch: 'Clear the search',
  allInboxes: 'All inboxes',
  nothingYet: 'Nothing in the part that was searched so far.',
  separator: ' · ',
  curl: 'curl',
  sdk: 'TypeScript',
};
