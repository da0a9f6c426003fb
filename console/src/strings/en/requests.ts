/** The page of the request log. */
export const requestsText = {
  title: 'Requests',
  about:
    'What programs asked the API with keys of this workspace in the last 7 days, newest first. It refreshes automatically.',
  columns: {
    at: 'Time',
    request: 'Request',
    status: 'Status',
    error: 'Error',
    duration: 'Duration',
    key: 'Key',
  },
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
    message: 'Send this request with one of your keys. It shows up here within a few seconds.',
  },
  detail: {
    id: 'Request id',
    at: 'Time',
    key: 'Key',
    duration: 'Duration',
    meaning: 'What happened',
    remedy: 'What to do',
    repeat: 'Repeating it',
    skipped: (count: number) =>
      `${count.toLocaleString()} requests of this key before this one are not listed, because it sent too many at once.`,
    clientLeft: 'The client closed the connection before it had the whole response.',
    socket: 'A realtime socket, which was open for this long.',
    unknownError: 'This error has no entry in the catalogue of this version.',
    retry: {
      fix: 'The same request fails again. Change it first.',
      upgrade: 'The plan of the workspace does not allow this.',
      wait: 'The same request may succeed later. The SDK waits and repeats it automatically.',
      never: 'Repeating the request does not help.',
    },
  },
};
