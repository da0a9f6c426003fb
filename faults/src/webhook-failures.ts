import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  makeLocalCertificate,
  type ReceiverAnswer,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@postrider/testkit/servers/webhook-receiver.ts';
import type { Delivery, Postrider } from 'postrider';
import type { Trial } from './trial.ts';

/** How much faster the waits of the schedule run. 31 hours become two minutes. */
export const timeScale = 1_000;
const attemptsWanted = 8;
const hourMs = 3_600_000;
/** The time in ms that a busy machine may add to a wait of some milliseconds, in real time. */
const slackMs = 2_000;
/** The wait after each attempt but the last, in seconds, each plus or minus a tenth. */
const scheduleSeconds = [5, 30, 120, 900, 3_600, 21_600, 86_400];

const failures: Record<string, ReceiverAnswer> = {
  '500': 500,
  '301': { status: 301, headers: { location: 'http://127.0.0.1:1/' } },
  '404': 404,
  'time-out': 'hang',
  reset: 'reset',
  'slow drip': 'slow drip',
  'body cut': 'cut body',
};
const tlsFailure = 'TLS error';

/** A receiver of each kind that fails seven times before it heals. */
export interface FailingReceivers {
  byKind: Map<string, WebhookReceiver>;
  /** The setting with which the servers trust the certificate that heals the receiver with TLS. */
  env: Record<string, string>;
  /** Creates a webhook for each receiver, has `cause` bring an event, and checks the outcome. */
  check(client: Postrider, cause: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Starts the receivers. */
export async function startFailingReceivers(trial: Trial): Promise<FailingReceivers> {
  const [untrusted, trusted] = [makeLocalCertificate(), makeLocalCertificate()];
  const file = join(tmpdir(), `postrider-faults-${process.pid}.pem`);
  await writeFile(file, trusted.cert);
  const byKind = new Map<string, WebhookReceiver>();
  for (const [kind, answer] of Object.entries(failures)) {
    const receiver = await startWebhookReceiver();
    receiver.next(...Array.from({ length: attemptsWanted - 1 }, () => answer));
    byKind.set(kind, receiver);
  }
  const tls = await startWebhookReceiver(untrusted);
  byKind.set(tlsFailure, tls);
  return {
    byKind,
    env: { NODE_EXTRA_CA_CERTS: file },
    check: async (client, cause) => {
      const hooks = new Map<string, string>();
      for (const [kind, { url }] of byKind)
        hooks.set(kind, (await client.webhooks.create({ url, events: ['message.received'] })).id);
      await cause();
      const firstDelivery = async (id: string) => (await client.webhooks.deliveries(id)).deliveries[0];
      const healed = async (kind: string, id: string): Promise<Delivery> => {
        if (kind === tlsFailure) {
          await eventually(
            'seven refused certificates',
            async () => (await firstDelivery(id))?.attempts.length === attemptsWanted - 1,
            { withinMs: 120_000, pauseMs: 500 },
          );
          tls.present(trusted);
        }
        return eventually(
          `the end of ${kind}`,
          async () => {
            const delivery = await firstDelivery(id);
            return delivery && delivery.status !== 'pending' && delivery;
          },
          { withinMs: 240_000, pauseMs: 500 },
        );
      };
      const ended = await Promise.all(
        [...hooks].map(async ([kind, id]) => [kind, await healed(kind, id)] as const),
      );
      for (const [kind, delivery] of ended) checkHealed(trial, kind, delivery);
    },
    close: async () => {
      for (const receiver of byKind.values()) await receiver.close();
    },
  };
}

function checkHealed(trial: Trial, kind: string, { status, attempts }: Delivery): void {
  trial.invariant('kinds of failure that did not heal', status === 'succeeded' ? 0 : 1, { exactly: 0 }, [
    kind,
  ]);
  trial.invariant('attempts of each failing delivery, least', attempts.length, { least: attemptsWanted }, [
    kind,
  ]);
  const starts = attempts.map(({ at }) => Date.parse(at));
  const waits = attempts
    .slice(1)
    .map((_, index) => (starts[index + 1] ?? 0) - (starts[index] ?? 0) - (attempts[index]?.duration_ms ?? 0));
  const shorter = waits.filter((wait, index) => index > 0 && wait < 0.8 * (waits[index - 1] ?? 0) - slackMs);
  trial.invariant('waits shorter than the one before', shorter.length, { exactly: 0 }, [
    `${kind}: ${waits.join(' ')} ms`,
  ]);
  const offSchedule = waits.filter((wait, index) => {
    const due = ((scheduleSeconds[index] ?? 0) * 1_000) / timeScale;
    return wait < 0.89 * due - 2 || wait > 1.11 * due + slackMs;
  });
  trial.invariant('waits that are not those of the schedule', offSchedule.length, { exactly: 0 }, [
    `${kind}: ${waits.join(' ')} ms`,
  ]);
  const spanHours = (((starts.at(-1) ?? 0) - (starts[0] ?? 0)) * timeScale) / hourMs;
  trial.invariant(
    'hours from the first to the last attempt, least',
    Math.round(spanHours * 10) / 10,
    { least: 24 },
    [kind],
  );
  trial.figure(`last wait after ${kind}, seconds as run`, Math.round((waits.at(-1) ?? 0) / 1_000));
}
