/** The page of the request log. */
export const requestsText = {
  title: 'Requests',
  about:
    'API requests with keys of this workspace in the last 7 days, newest first. The list refreshes automatically.',
  columns: { at: 'Time', request: 'Request', status: 'Status', duration: 'Duration', key: 'Key' },
  filters: {
    path: 'Part of the path',
    method: 'Method',
    allMethods: 'All methods',
    status: 'Status',
    allStatuses: 'All statuses',
    statuses: { '2xx': '2xx: succeeded', '4xx': '4xx: refused', '5xx': '5xx: failed' },
    key: 'Key',
    allKeys: 'All keys',
    before: 'Before',
  },
  duration: (ms: number) => `${ms.toLocaleString()} ms`,
  open: (request: string) => `Show the request ${request}`,
  empty: {
    title: 'No requests yet',
    message: 'Send this request with one of your keys. It appears here within a few seconds.',
  },
  detail: {
    id: 'Request id',
    at: 'Time',
    key: 'Key',
    duration: 'Duration',
    meaning: 'What happened',
    remedy: 'What to do',
    repeat: 'Retrying',
    skipped: (count: number) =>
      `${count.toLocaleString()} earlier requests with this key are not listed, because it sent too many at once.`,
    clientLeft: 'The client closed the connection before it received the complete response.',
    socket: 'A realtime socket that was open for this long.',
    unknownError: 'This error has no entry in the catalogue of this version.',
    retry: {
      fix: 'The same request will fail again. Correct it first.',
      upgrade: 'The plan of the workspace does not allow this.',
      wait: 'The same request may succeed later. The SDK waits and retries it automatically.',
      never: 'Retrying the request does not help.',
    },
  },
};
