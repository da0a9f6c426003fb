/** The lists of messages that wait or waited for approval. */
export const approvalsText = {
  title: 'Approvals',
  about: 'What agents want to send, where people have to approve it first. It waits for 72 hours.',
  waiting: (count: number) => (count === 1 ? '1 message waits' : `${count} messages wait`),
  held: 'Waiting for you',
  decided: 'Decided',
  nothingWaits: 'Nothing waits for a decision.',
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
    about: 'Read each one, choose those that you agree with, and decide about them together.',
    choose: (subject: string) => `Choose “${subject}”`,
    chooseFirst: 'Choose messages that you have read.',
    approve: (count: number) => (count === 0 ? 'Approve' : `Approve ${count}`),
    refuse: (count: number) => (count === 0 ? 'Refuse' : `Refuse ${count}`),
  },
  empty: {
    title: 'No message has needed approval yet',
    message:
      'A policy can ask for approval of everything that an agent sends. You then see here exactly what would go out, and it goes out once you approve it. Set a policy for the workspace, an inbox or a key.',
    policy: 'Set a policy',
    command: 'By the command line',
    agent: 'What the agent sees',
  },
};
