import type { Fault } from '../fault.ts';
import { judged, verdictsOn } from '../mail/expectations.ts';
import { requireMailPrograms } from '../mail/missing-packages.ts';
import type { Seen } from '../mail/real-mail-process.ts';
import { startChild } from '../noisy-neighbour/child.ts';
import type { Trial, TrialOptions } from '../trial.ts';

/** Everything that is started in these namespaces ends with the first process in them. */
const ownNamespaces = [
  '--net',
  '--mount',
  '--propagation',
  'private',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
];

export const realMail: Fault = {
  name: 'real-mail',
  about:
    'mail between an own domain and a Postfix that checks SPF, DKIM and DMARC, with forged mail and bounces',
  times: { own: 1, postgres: 1 },
  control: {
    about: 'keys that nothing is signed with and SPF records for another host, on both sides',
    breaks: Object.values(judged).flatMap((mail) => Object.values(verdictsOn(mail))),
    times: 1,
  },
  run: async (trial) => {
    requireMailPrograms();
    for (let time = 0; time < trial.times; time++) await runInNamespaces(trial);
  },
};

async function runInNamespaces(trial: Trial): Promise<void> {
  const child = startChild('../mail/real-mail-process.ts', ['unshare', ...ownNamespaces]);
  try {
    record(trial, await child.ask<Seen>('run', pickOptions(trial)));
  } finally {
    await child.end();
  }
}

function pickOptions({ database, times, seed, control }: Trial): TrialOptions {
  return { database, times, seed, control };
}

function record(trial: Trial, { figures, findings, rows }: Seen): void {
  for (const [name, value] of Object.entries(figures)) trial.count(name, value);
  for (const { invariant, value, bound, examples } of findings)
    trial.invariant(invariant, value, bound, examples);
  for (const row of rows) trial.row(row);
}
