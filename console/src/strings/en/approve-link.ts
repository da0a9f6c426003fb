/** The page that a link of a mail about a held message leads to. */
export const approveLinkText = {
  loading: 'A message waits for you',
  title: 'May this go out?',
  lead: (workspace: string) =>
    `An agent of the workspace “${workspace}” wants to send this. Nothing goes out before somebody approves it.`,
  asPerson: (person: string, email: string) => `You decide as ${person} (${email}).`,
  over: { approved: 'This was approved', refused: 'This was refused', expired: 'This has expired' },
  subject: (subject: string) => `It is about “${subject}”.`,
  expired: {
    title: 'This link no longer works',
    message:
      'It may have been cut off, the message may have been deleted, or you are no longer in the workspace. Look for the message in the console.',
  },
  broken: {
    title: 'This link is not complete',
    message: 'Open the whole link of the mail again.',
  },
  console: 'Open the console',
};
