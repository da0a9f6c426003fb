/** The texts of the parts of pages. */
export const partsText = {
  copy: 'Copy',
  copied: 'Copied',
  cancel: 'Cancel',
  done: 'Done',
  shownOnce: 'Copy it now. It is not shown again.',
  close: 'Close',
  loadMore: 'Load more',
  loading: 'Loading',
  details: 'Details',
  undo: 'Undo',
  clear: 'Clear',
  ownersOnly: 'Only owners of the workspace can change this.',
  clearFilters: 'Clear the filters',
  nothingMatches: 'Nothing matches the filters.',
  inbox: 'Inbox',
  clearSearch: 'Clear the search',
  allInboxes: 'All inboxes',
  nothingYet: 'Nothing found so far.',
  separator: ' · ',
  listSeparator: ', ',
  searchOn: 'Search older entries',
  curl: 'curl',
  sdk: 'TypeScript',
};

/** Actions that wait a few seconds, so that people can undo them. */
export const heldText = {
  label: 'Pending actions',
  undo: 'Undo',
  seconds: (seconds: number) => `In ${seconds} s`,
  dismiss: 'Dismiss',
};
