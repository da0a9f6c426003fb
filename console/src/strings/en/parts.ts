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
  allInboxes: 'All inboxes',
  separator: ' · ',
  curl: 'curl',
  sdk: 'TypeScript',
};
