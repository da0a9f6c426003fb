/** The page of events. */
export const eventsText = {
  title: 'Events',
  about: 'What happens to the mail of this workspace, as it happens. The log goes back 30 days.',
  pause: 'Pause',
  resume: 'Resume',
  resumeWith: (count: number) => `Resume (${count.toLocaleString()})`,
  live: 'Live',
  connecting: 'Connecting',
  paused: 'Paused',
  before: 'Before',
  backToLive: 'Back to now',
  noSubject: '(no subject)',
  gone: 'The message was deleted.',
  from: (address: string) => `from ${address}`,
  to: (address: string) => `to ${address}`,
  json: 'Event',
  thread: 'Open the thread',
  left: (count: number) =>
    `The page keeps the newest ${count.toLocaleString()} events. Older ones are left out here; the log has them.`,
  readLog: 'Read the log again',
  empty: {
    title: 'No events yet',
    message:
      'Send a mail to one of the inboxes, or send one from it. What happens to it appears here within a second. Programs follow the same events like this:',
  },
};
