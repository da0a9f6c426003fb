/** What each kind of event is about. */
export const eventKindText = {
  'message.received': { name: 'Received', about: 'Mail arrived at an inbox.' },
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
};

/** Words about events that several pages use. */
export const eventText = {
  kinds: 'Events',
};
