import type { Fault } from './fault.ts';
import { answerLoop } from './faults/answer-loop.ts';
import { databaseGone } from './faults/database-gone.ts';
import { directHold } from './faults/direct-hold.ts';
import { diskFull } from './faults/disk-full.ts';
import { eventSoak } from './faults/event-soak.ts';
import { killApproving } from './faults/kill-approving.ts';
import { killDatabase } from './faults/kill-database.ts';
import { killIntake } from './faults/kill-intake.ts';
import { killMcp } from './faults/kill-mcp.ts';
import { killMigration } from './faults/kill-migration.ts';
import { killSending } from './faults/kill-sending.ts';
import { lostAnswer } from './faults/lost-answer.ts';
import { noisyNeighbour } from './faults/noisy-neighbour.ts';
import { ownDomain } from './faults/own-domain.ts';
import { powerLoss } from './faults/power-loss.ts';
import { realMail } from './faults/real-mail.ts';
import { ruleRace } from './faults/rule-race.ts';
import { runaway } from './faults/runaway.ts';
import { sameClientId } from './faults/same-client-id.ts';
import { smtpTorture } from './faults/smtp-torture.ts';
import { starved } from './faults/starved.ts';
import { stopSending } from './faults/stop-sending.ts';
import { stopUnderLoad } from './faults/stop-under-load.ts';
import { twoProcesses } from './faults/two-processes.ts';
import { webhooks } from './faults/webhooks.ts';

/** Every fault, in the order of `all`. */
export const faults: Fault[] = [
  killIntake,
  powerLoss,
  killDatabase,
  databaseGone,
  diskFull,
  sameClientId,
  killSending,
  killApproving,
  killMcp,
  lostAnswer,
  smtpTorture,
  stopUnderLoad,
  starved,
  killMigration,
  ruleRace,
  stopSending,
  twoProcesses,
  eventSoak,
  webhooks,
  ownDomain,
  answerLoop,
  runaway,
  noisyNeighbour,
  directHold,
  realMail,
];
