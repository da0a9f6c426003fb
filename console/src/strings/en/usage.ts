/** The page of usage. */
export const usageText = {
  title: 'Usage',
  about: 'How much of its plan this workspace uses, and its activity by day. Days are in UTC.',
  range: 'Days shown',
  ranges: { '7': '7 days', '30': '30 days', '90': '90 days' },
  meters: {
    title: 'This month’s use of the plan',
    emails: 'Emails this month',
    emailsHelp: (date: string) => `The count resets on ${date}.`,
    inboxes: 'Inboxes',
    storage: 'Attachments',
    mail: 'Stored mail',
    of: (used: string, limit: string) => `${used} of ${limit}`,
    near: (share: string) =>
      `${share} used. Delete what you do not need, or ask the operator for a larger plan.`,
    nearEmails: (share: string) => `${share} used. Ask the operator for a larger plan before sending stops.`,
    full: 'The limit has been reached. Anything beyond it is refused until there is room again.',
    fullEmails:
      'The limit has been reached. Further emails are refused until the month ends or you get a larger plan.',
  },
  health: {
    title: 'Deliverability',
    bounce: 'Bounces',
    complaint: 'Complaints',
    bounceHelp:
      'Providers become suspicious at 5%, because it suggests that recipients did not sign up. At this rate, Amazon SES puts an account under review.',
    complaintHelp:
      'Recipients who report mail as spam. Gmail, Yahoo and Amazon SES want less than 0.1%, and Gmail asks senders never to reach 0.3%.',
    ofOutcomes: (count: string, all: string) => `${count} of ${all} emails with an outcome`,
    ofDelivered: (count: string, all: string) => `${count} of ${all} delivered emails`,
    none: 'Nothing was sent in this period.',
    good: 'Good',
    bad: 'Too high',
    few: 'Too few emails to judge',
  },
  charts: {
    title: 'Day by day',
    mail: 'Sent and received',
    outcomes: 'Outcomes of sent mail',
    storage: 'Attachments added minus attachments removed',
    sent: 'Sent',
    received: 'Received',
    delivered: 'Delivered',
    bounced: 'Bounced',
    complained: 'Complained',
    stored: 'Attachments',
    total: (name: string, total: string) => `${name}: ${total}`,
    summary: (name: string, totals: string) =>
      `Chart: ${name}. Totals: ${totals}. The table below lists each day.`,
    empty: 'Nothing happened in this period.',
  },
  table: { title: 'All days as a table', day: 'Day' },
};
