import { peerWaits } from '../../../server/src/boot/outward-transport.ts';
import { databaseLimits } from '../../../server/src/db/database.ts';
import { sendWaits } from '../../../server/src/outbound/send-outgoing.ts';
import { scanLimits, searchWaits } from '../../../server/src/search/query/scan-limits.ts';

/** As long as tests wait for what must come. */
const patientMs = 300_000;

const usual = { settleMs: sendWaits.settleMs, peerMs: peerWaits.leastMs };

/** What a test needs to be other than usual. */
export interface Waits {
  /** How long a send waits for its outcome before it answers without, as a server would whose time does not run faster. */
  settleMs?: number;
  /** How long a relay or mail server is waited for at least, however fast time runs. */
  peerMs?: number;
}

/**
 * Gives a server so much time for what it would otherwise do without, or answer with 503, that a busy machine changes no answer. Tests of
 * these limits set them again.
 */
export function bePatient({ settleMs = usual.settleMs, peerMs = usual.peerMs }: Waits = {}): void {
  databaseLimits.connectionWaitMs = patientMs;
  scanLimits.msMax = patientMs;
  sendWaits.settleMs = settleMs;
  peerWaits.leastMs = peerMs;
  Object.assign(searchWaits, { indexMs: patientMs, vectorsMs: patientMs });
}
