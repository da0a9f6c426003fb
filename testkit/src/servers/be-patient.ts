import { databaseLimits } from '../../../server/src/db/database.ts';
import { scanLimits, searchWaits } from '../../../server/src/search/query/scan-limits.ts';

/** As long as tests wait for what must come. */
const patientMs = 300_000;

/**
 * Gives a server so much time for what it would otherwise do without, or answer with 503, that a busy machine changes no answer. Tests of
 * these limits set them again.
 */
export function bePatient(): void {
  databaseLimits.connectionWaitMs = patientMs;
  scanLimits.msMax = patientMs;
  Object.assign(searchWaits, { indexMs: patientMs, vectorsMs: patientMs });
}
