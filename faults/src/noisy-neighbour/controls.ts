import { names } from './judge.ts';

/** A limit switched off, the attacker that shows it, and what has to break without it. */
export interface Control {
  /** What is switched off, as reports say it. */
  name: string;
  attacker: string;
  /** As `preload-limits.ts` takes them. */
  limits: Record<string, Record<string, unknown>>;
  env?: Record<string, string>;
  breaks: string[];
}

const contract = (name: string, attacker: string, ...breaks: string[]): Control => ({
  name,
  attacker,
  limits: { contract: { [name]: 'Infinity' } },
  breaks,
});

/** Every control. A limit that the server does not have fails its start, so that none of these can rot. */
export const controls: Control[] = [
  {
    name: 'POSTRIDER_RATE_LIMITS',
    attacker: 'empty-searches',
    limits: {},
    env: { POSTRIDER_RATE_LIMITS: 'off' },
    breaks: [names.probeP99],
  },
  contract('threadMessagesMax', 'long-threads', names.probeLongest),
];

/** How a report names what a control showed. */
export const controlName = ({ name }: Control): string => `invariants broken without ${name}`;
