import type { Target } from './target.ts';

/** A bad neighbour: one workspace on the smallest plan, or a stranger, with everything that one may try. */
export interface Attacker {
  name: string;
  /** One sentence. */
  about: string;
  /** Makes what the attack needs; not judged. */
  prepare?(attack: Attack): Promise<void>;
  /** Attacks until `isOver`. */
  attack(attack: Attack): Promise<void>;
  /** Its connections do nothing, so they have to be gone after 120 s; it runs longer than that. */
  holdsConnections?: true;
}

/** Where and as whom an attacker works. */
export interface AttackPlan {
  name: string;
  targets: Target[];
  /** The key of its workspace, on the plan `free`. */
  key: string;
  /** Its place among all attackers, from 1: its addresses are 127.0.<place>.x. */
  place: number;
  seconds: number;
}

/** What an attacker got. */
export interface AttackReport {
  /** Answers by what they are to, with the status or the code. */
  counts: Record<string, number>;
  /** The largest answer with more than one message, in bytes. */
  largestBytes: number;
  /** Why it ended early; null when it did not. */
  error: string | null;
}

/** One attack while it runs. */
export interface Attack extends AttackPlan {
  report: AttackReport;
  isOver(): boolean;
  count(what: string, by?: number): void;
  /** Notes the size of an answer that holds more than one message. */
  sized(bytes: number): void;
  /** The server whose turn it is. */
  target(): Target;
  /** An address of its own; from 100 on those of connections that do nothing. */
  address(last: number): string;
}

/** Does something by so many at once, again and again until the attack is over. */
export const flood = async (
  attack: Attack,
  atOnce: number,
  work: (worker: number, round: number) => Promise<unknown>,
): Promise<void> => {
  const worker = async (_: unknown, index: number) => {
    for (let round = 0; !attack.isOver(); round++) await work(index, round);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};
