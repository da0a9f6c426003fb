import { names } from './judge.ts';
import type { LimitValue } from './loosen-object.ts';

/** Limits switched off, the attacker that shows it, and what has to break without them. */
export interface Control {
  /** What is switched off, as reports say it. */
  name: string;
  attacker: string;
  /** As `preload-limits.ts` takes them. */
  limits: Record<string, Record<string, LimitValue>>;
  env?: Record<string, string>;
  /** Each of these has to break. */
  breaks: string[];
}

/** As good as none, and still a number that a statement of SQL takes; what fails for another reason proves nothing. */
const none = 1_000_000_000;

const contract = (name: string, attacker: string, ...breaks: string[]): Control => ({
  name,
  attacker,
  limits: { contract: { [name]: none } },
  breaks,
});

/**
 * Every control: a line for each limit. One that the server does not have fails the start of the server, so that no line can
 * rot.
 */
export const controls: Control[] = [
  {
    name: 'POSTRIDER_RATE_LIMITS',
    attacker: 'empty-searches',
    limits: {},
    env: { POSTRIDER_RATE_LIMITS: 'off' },
    breaks: [names.probeP99],
  },
  contract('answerBytesMax', 'long-mails', names.largest),
  contract('listedAddressesMax', 'many-addresses', names.probeLongest),
];

/** How a report names what a control showed. */
export const controlName = ({ name }: Control): string => `invariants broken without ${name}`;
