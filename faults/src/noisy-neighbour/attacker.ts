import type { Target } from './target.ts';

/** A bad neighbour: one workspace on the smallest plan, or a stranger, with everything that such a client may try. */
export interface Attacker {
  name: string;
  /** What it does, as a phrase that follows its name. */
  about: string;
  /** Creates what the attack needs. It is not judged. */
  prepare?(attack: Attack): Promise<void>;
  /** Attacks until `isOver`. */
  attack(attack: Attack): Promise<void>;
  /** If set, its connections do nothing and have to be gone after 120 s, so it runs longer than that. */
  holdsConnections?: true;
}

/** The targets and the identity of an attacker. */
export interface AttackPlan {
  name: string;
  targets: Target[];
  /** The key of its workspace, on the plan `free`. */
  key: string;
  /** Its place among all attackers, from 1: its addresses are 127.0.<place>.x. */
  place: number;
  seconds: number;
}

/** The results of an attacker. */
export interface AttackReport {
  /** The number of responses, by request and status, or by reply code. */
  counts: Record<string, number>;
  /** The size of the largest response with more than one message, in bytes. */
  largestBytes: number;
  /** The error that ended it early; null if there was none. */
  error: string | null;
}

/** One attack while it runs. */
export interface Attack extends AttackPlan {
  report: AttackReport;
  isOver(): boolean;
  count(what: string, by?: number): void;
  /** Records the size of a response with more than one message. */
  sized(bytes: number): void;
  /** Returns the next server in turn. */
  target(): Target;
  /** Returns one of its addresses. From 100 on, they are those of connections that do nothing. */
  address(last: number): string;
}

/** Does something with `atOnce` workers, again and again until the attack is over. */
export async function flood(
  attack: Attack,
  atOnce: number,
  work: (worker: number, round: number) => Promise<unknown>,
): Promise<void> {
  const worker = async (_: unknown, index: number) => {
    for (let round = 0; !attack.isOver(); round++) await work(index, round);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
