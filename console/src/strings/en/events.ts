/** The page of events. */
export const eventsText = {
  title: 'Events',
  about: 'Everything that happens to the mail of this workspace, live. The log goes back 30 days.',
  kinds: 'Events',
  pause: 'Pause',
  resume: 'Resume',
  resumeWith: (count: number) => `Resume (${count.toLocaleString()})`,
  live: 'Live',
  connecting: 'Connecting',
  paused: 'Paused',
  before: 'Before',
  backToLive: 'Back to live',
  noSubject: '(no subject)',
  gone: 'The message was deleted.',
  from: (address: string) => `from ${address}`,
  to: (address: string) => `to ${address}`,
  facts: {
    kind: 'What happened',
    time: 'When',
    inbox: 'Inbox',
    message: 'Message',
    noMessage: 'None: the draft was not sent.',
    from: 'From',
    to: 'To',
    recipient: 'Recipient',
    reason: 'Details',
    draft: 'Draft',
    id: 'Event',
    copy: 'Copy as JSON',
  },
  left: (count: number) =>
    `This page shows only the newest ${count.toLocaleString()} events. Older ones are still in the log.`,
  readLog: 'Reload the log',
  empty: {
    title: 'No events yet',
    message:
      'Send an email to one of the inboxes, or from it. Its events appear here within a second. Programs follow the same events like this:',
  },
};

/** The meaning of each kind of event. */
export const eventKindText = {
  'message.received': { name: 'Received', about: 'Mail arrived at an inbox.' },
  'message.sent': {
    name: 'Sent',
    about: 'The next server, such as a relay, accepted a message for a recipient.',
  },
  'message.delivered': { name: 'Delivered', about: 'The server of a recipient accepted a message.' },
  'message.bounced': { name: 'Bounced', about: 'A message came back. The address is suppressed.' },
  'message.complained': {
    name: 'Complained',
    about: 'A recipient marked a message as spam. The address is suppressed.',
  },
  'message.rejected': {
    name: 'Rejected',
    about: 'A message was not sent: it was refused before delivery, or it expired.',
  },
  'message.held': { name: 'Held', about: 'A message is waiting for approval.' },
  'message.deferred': {
    name: 'Deferred',
    about: 'A message could not be delivered to a recipient yet. The server will try again.',
  },
  'message.updated': { name: 'Updated', about: 'The labels, read mark or metadata of a message changed.' },
  'message.deleted': { name: 'Deleted', about: 'A message was deleted.' },
  'draft.sent': { name: 'Draft sent', about: 'A draft became a message.' },
  'draft.failed': { name: 'Draft failed', about: 'A scheduled draft could not be sent.' },
};
