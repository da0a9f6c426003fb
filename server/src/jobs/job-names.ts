/** The names of all jobs. Every process creates their queues, and the worker runs them. */
export const jobNames = {
  purgeInbox: 'purge-inbox',
  purgeThread: 'purge-thread',
  removeFiles: 'remove-files',
  purgeLabel: 'purge-label',
  purgeWebhook: 'purge-webhook',
  rollUpUsage: 'roll-up-usage',
  addUpSendCounts: 'add-up-send-counts',
  removeExpired: 'remove-expired',
  publishSubdomain: 'publish-subdomain',
  removeDomain: 'remove-domain',
  mailPeople: 'mail-people',
} as const;
