import type { Fault } from './fault.ts';
import { killDatabase } from './faults/kill-database.ts';
import { killIntake } from './faults/kill-intake.ts';

/** Every fault, in the order of `all`. */
export const faults: Fault[] = [killIntake, killDatabase];
