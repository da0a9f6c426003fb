import type { Attacker } from './attacker.ts';
import { dueDrafts } from './attackers/due-drafts.ts';
import { emptySearches } from './attackers/empty-searches.ts';
import { gzipBodies } from './attackers/gzip-bodies.ts';
import { hangingWebhooks } from './attackers/hanging-webhooks.ts';
import { jsonBodies } from './attackers/json-bodies.ts';
import { longMails, manyAddresses, unreadAnswers } from './attackers/large-mail.ts';
import { longThreads } from './attackers/long-threads.ts';
import { manyParts } from './attackers/many-parts.ts';
import { sendFlood } from './attackers/send-flood.ts';
import { silentConnections } from './attackers/silent-connections.ts';
import { smtpConnections } from './attackers/smtp-connections.ts';
import { storageFlood } from './attackers/storage-flood.ts';
import { linkFlood, resetFlood, signInFlood } from './attackers/stranger-floods.ts';
import { unreadPages } from './attackers/unread-pages.ts';
import { waitingFlood } from './attackers/waiting-flood.ts';

/** All attackers. The place of each determines its addresses. */
export const attackers: Attacker[] = [
  gzipBodies,
  jsonBodies,
  longMails,
  manyAddresses,
  unreadAnswers,
  silentConnections,
  smtpConnections,
  manyParts,
  sendFlood,
  waitingFlood,
  emptySearches,
  hangingWebhooks,
  dueDrafts,
  longThreads,
  storageFlood,
  unreadPages,
  signInFlood,
  linkFlood,
  resetFlood,
];
