/** The page of usage. */
export const usageText = {
  title: 'Usage',
  about: 'What this workspace uses of its plan, and what happened day by day. Days are in UTC.',
  range: 'Days shown',
  ranges: { '7': '7 days', '30': '30 days', '90': '90 days' },
  meters: {
    title: 'This month against the plan',
    emails: 'Emails this month',
    emailsHelp: (date: string) => `The count starts again on ${date}.`,
    inboxes: 'Inboxes',
    storage: 'Attachments',
    mail: 'Stored mail',
    of: (used: string, limit: string) => `${used} of ${limit}`,
    near: (share: string) =>
      `${share} are used. Delete what is not needed, or ask the operator for a larger plan.`,
    nearEmails: (share: string) =>
      `${share} are used. Ask the operator for a larger plan before sending stops.`,
    full: 'The limit is reached. What goes above it is refused until there is room.',
    fullEmails:
      'The limit is reached. Further emails are refused until the month ends or the plan is larger.',
  },
  health: {
    title: 'How well mail arrives',
    bounce: 'Bounces',
    complaint: 'Complaints',
    bounceHelp:
      'Providers begin to look at 5%, because it shows that addresses were not asked for. Amazon SES puts an account under review there.',
    complaintHelp:
      'People who press “spam”. Gmail, Yahoo and Amazon SES want less than 0.1%, and Gmail asks senders never to reach 0.3%.',
    ofOutcomes: (count: string, all: string) => `${count} of ${all} mails with an outcome`,
    ofDelivered: (count: string, all: string) => `${count} of ${all} delivered mails`,
    none: 'Nothing was sent in this time.',
    good: 'Good',
    bad: 'Too high',
    few: 'Too few mails to judge',
  },
  charts: {
    title: 'Day by day',
    mail: 'Sent and received',
    outcomes: 'Outcomes of sent mail',
    storage: 'Attachments added, less those removed',
    sent: 'Sent',
    received: 'Received',
    delivered: 'Delivered',
    bounced: 'Bounced',
    complained: 'Complained',
    stored: 'Attachments',
    total: (name: string, total: string) => `${name}: ${total}`,
    summary: (name: string, totals: string) =>
      `Chart: ${name}. In total ${totals}. The table below has each day.`,
    empty: 'Nothing happened in this time.',
  },
  table: { title: 'All days as a table', day: 'Day' },
};
