import type { Policy } from '@postrider/contract';

/** The careful defaults of the contract. A test keeps them equal, because the contract itself is too large for pages. */
export const carefulPolicy: Policy = {
  send: 'allow',
  recipients: 'known',
  per_hour: 20,
  per_day: 100,
  per_thread_hour: 10,
  per_recipient_day: 10,
  recipients_max: 5,
};
