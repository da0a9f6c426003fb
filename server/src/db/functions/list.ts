import manifest from '../../../package.json' with { type: 'json' };
import { versionNumber } from '../../lib/version-number.ts';
import { addUpCounts } from './add-up-counts.ts';
import { answersAtLimit, nthAnswer, nthAnswerTo, stripPlusTagInSql } from './answers-at-limit.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { claimRecipients } from './claim-recipients.ts';
import { claimedDelivery } from './claimed-delivery.ts';
import { fanOutEvents } from './fan-out-events.ts';
import { findSenders } from './find-senders.ts';
import { indexMessages } from './index-messages.ts';
import { mailBytes, mailBytesOf } from './mail-bytes.ts';
import { markHandedOver } from './mark-handed-over.ts';
import { mergeThreads } from './merge-threads.ts';
import { nameMessage } from './name-message.ts';
import { orderEvents } from './order-events.ts';
import { recordAttempts } from './record-attempts.ts';
import { recordOutcome } from './record-delivery.ts';
import {
  lockSending,
  lockWaiting,
  mailsSince,
  pauseOf,
  pauseOfMessage,
  sendingControls,
  sendingCounts,
  sendingVersion,
  threadByNames,
} from './sending-controls.ts';
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

/** The version of this program as one number. A process of an older version refuses to start instead of restoring its own functions. */
export const functionsVersion: number = versionNumber(manifest.version);

/** The latest text of every function and trigger, each after those that it names. */
export const functions: string[] = [
  mailBytes,
  mailBytesOf,
  usageOf,
  nthAnswer,
  stripPlusTagInSql,
  nthAnswerTo,
  answersAtLimit,
  subjectTerm,
  lockSending,
  lockWaiting,
  sendingVersion,
  pauseOf,
  pauseOfMessage,
  mailsSince,
  sendingControls,
  threadByNames,
  sendingCounts,
  findSenders,
  addUpCounts,
  mergeThreads,
  nameMessage,
  settleMessage,
  storeMessages,
  recordOutcome,
  markHandedOver,
  claimRecipients,
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
  indexMessages,
];
