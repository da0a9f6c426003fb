/** The lists of messages that wait or waited for approval. */
export const approvalsText = {
  title: 'Approvals',
  about: 'Messages that agents want to send and that people must approve first. They wait for 72 hours.',
  waiting: (count: number) => (count === 1 ? '1 message is waiting' : `${count} messages are waiting`),
  held: 'Waiting for you',
  decided: 'Decided',
  nothingWaits: 'Nothing is waiting for a decision.',
  columns: { message: 'Message', sender: 'From', left: 'Time left', state: 'Decision' },
  to: (addresses: string) => `To ${addresses}`,
  more: (count: number) => `and ${count} more`,
  files: (count: number) => (count === 1 ? '1 file' : `${count} files`),
  person: 'A person, for an agent’s draft',
  writtenBy: (key: string) => `written by ${key}`,
  filters: { label: 'Filters of approvals', state: 'State', allStates: 'All states' },
  review: {
    open: 'Review several',
    title: 'Review several',
    about: 'Read each message, select those that you agree with, and decide on them together.',
    choose: (subject: string) => `Select “${subject}”`,
    chooseFirst: 'Select messages that you have read.',
    approve: (count: number) => (count === 0 ? 'Approve' : `Approve ${count}`),
    refuse: (count: number) => (count === 0 ? 'Refuse' : `Refuse ${count}`),
    empty: {
      title: 'Nothing is waiting for a decision',
      message: 'When an agent sends a message that people must approve first, it appears here.',
    },
  },
  empty: {
    title: 'No message has needed approval yet',
    message:
      'A policy can require approval for everything that an agent sends. Each message then appears here exactly as it would be sent, and is sent once you approve it. Set a policy for the workspace, an inbox or a key.',
    policy: 'Set a policy',
    command: 'On the command line',
    agent: 'What the agent sees',
  },
};
