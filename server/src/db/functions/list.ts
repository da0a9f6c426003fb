import { claimDeliveries } from './claim-deliveries.ts';
import { claimedDelivery } from './claimed-delivery.ts';
import { fanOutEvents } from './fan-out-events.ts';
import { mailBytes, mailBytesOf } from './mail-bytes.ts';
import { markHandedOver } from './mark-handed-over.ts';
import { mergeThreads } from './merge-threads.ts';
import { orderEvents } from './order-events.ts';
import { recordAttempts } from './record-attempts.ts';
import { recordDelivery } from './record-delivery.ts';
import { settleMessage } from './settle-message.ts';
import { storeMessages } from './store-messages.ts';
import { subjectTerm } from './subject-term.ts';
import {
  labelThread,
  lockThreadOf,
  moveLabelledThread,
  threadLabelTriggers,
  unlabelThread,
} from './thread-labels.ts';
import { usageOf } from './usage-of.ts';
import { webhookRoom, workspaceRoom } from './webhook-room.ts';

/** Raised with every change of a function after the first release: a process with a lower number does not put its own back. */
export const functionsVersion = 1;

/** The latest text of every function and trigger, each after those that it names. */
export const functions: string[] = [
  mailBytes,
  mailBytesOf,
  usageOf,
  subjectTerm,
  mergeThreads,
  settleMessage,
  storeMessages,
  recordDelivery,
  markHandedOver,
  lockThreadOf,
  labelThread,
  unlabelThread,
  moveLabelledThread,
  ...threadLabelTriggers,
  orderEvents,
  webhookRoom,
  workspaceRoom,
  claimedDelivery,
  fanOutEvents,
  claimDeliveries,
  recordAttempts,
];
