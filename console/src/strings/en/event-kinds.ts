/** The meaning of each kind of event. */
export const eventKindText = {
  'message.received': { name: 'Received', about: 'Mail arrived at an inbox.' },
  'message.sent': {
    name: 'Sent',
    about: 'The next server, such as the relay, took a message for a recipient.',
  },
  'message.delivered': { name: 'Delivered', about: 'The server of a recipient accepted a message.' },
  'message.bounced': {
    name: 'Bounced',
    about: 'A message came back. The address is suppressed.',
  },
  'message.complained': {
    name: 'Complained',
    about: 'A recipient marked a message as spam. The address is suppressed.',
  },
  'message.rejected': {
    name: 'Rejected',
    about: 'A message was not sent: it was refused before delivery, or it expired.',
  },
  'message.held': { name: 'Held', about: 'A message waits for approval.' },
  'message.deferred': {
    name: 'Deferred',
    about: 'A message could not be handed over for a recipient yet. It is tried again.',
  },
  'message.updated': { name: 'Updated', about: 'Labels, read mark or metadata of a message changed.' },
  'message.deleted': { name: 'Deleted', about: 'A message was deleted.' },
  'draft.sent': { name: 'Draft sent', about: 'A draft became a message.' },
  'draft.failed': { name: 'Draft failed', about: 'A scheduled draft could not be sent.' },
};

/** Words about events that several pages use. */
export const eventText = {
  kinds: 'Events',
};
