import type { Target } from './target.ts';

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
  work: (number: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (!attack.isOver()) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
