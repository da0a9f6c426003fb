/** The jobs that there are: every process makes their queues, and the worker runs them. */
export const jobNames = {
  purgeInbox: 'purge-inbox',
  purgeThread: 'purge-thread',
  removeFiles: 'remove-files',
  purgeLabel: 'purge-label',
  purgeWebhook: 'purge-webhook',
  rollUpUsage: 'roll-up-usage',
  removeExpired: 'remove-expired',
} as const;
