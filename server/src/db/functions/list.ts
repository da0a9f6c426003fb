import { existsSync, readFileSync } from 'node:fs';
import manifest from '../../../package.json' with { type: 'json' };
import { versionNumber } from '../../lib/version-number.ts';

/** The version of this program as one number. A process of an older version refuses to start instead of restoring its own functions. */
export const functionsVersion: number = versionNumber(manifest.version);

/** The files of the functions and triggers, each after those that it names. */
export const functionNames: string[] = [
  'locks/lock-key',
  'counts/mail-bytes',
  'counts/mail-bytes-of',
  'counts/usage-of',
  'answers/nth-answer',
  'answers/strip-plus-tag',
  'answers/nth-answer-to',
  'answers/answers-at-limit',
  'messages/subject-term',
  'locks/lock-sending',
  'locks/lock-waiting',
  'sending/sending-version',
  'sending/pause-of',
  'sending/pause-of-message',
  'sending/mails-since',
  'sending/sending-controls',
  'sending/thread-by-names',
  'sending/subject-of-thread',
  'sending/is-proven-for',
  'sending/sending-counts',
  'sending/find-senders',
  'counts/add-up-counts',
  'messages/merge-threads',
  'messages/name-message',
  'messages/settle-message',
  'messages/store-messages',
  'sending/require-decided',
  'sending/store-sends',
  'delivery/record-delivery',
  'delivery/mark-handed-over',
  'delivery/claim-recipients',
  'labels/lock-thread-of',
  'labels/label-thread',
  'labels/unlabel-thread',
  'labels/move-labelled-thread',
  'labels/thread-label-triggers',
  'events/order-events',
  'webhooks/webhook-room',
  'webhooks/workspace-room',
  'webhooks/claimed-delivery',
  'webhooks/fan-out-events',
  'webhooks/claim-deliveries',
  'webhooks/record-attempts',
  'search/index-messages',
];

/** A built server has the files in a folder beside it. */
const folder = ['./functions/', './']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(new URL(`${functionNames[0]}.sql`, url)));

/** The latest text of every function and trigger. */
export const functions: string[] = functionNames.map((name) =>
  readFileSync(new URL(`${name}.sql`, folder), 'utf8'),
);
