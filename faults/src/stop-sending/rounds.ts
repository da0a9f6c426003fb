import { setTimeout as sleep } from 'node:timers/promises';
import type { Trial } from '../trial.ts';
import type { Stop } from './judge.ts';
import { makeSender, type Scene } from './scene.ts';
import { callers, type Send, type SendLoad } from './send-load.ts';

/** One kind of change that stops sends, in rounds. */
export interface Kind {
  name: 'pauses' | 'policies' | 'keys';
  /** The statuses of a send that it refuses. */
  refusal: number;
  /** Whether mail that the relay deferred before is stopped as well. */
  stopsDeferred: boolean;
  /** Makes one change. Returns the time in which it held. */
  round(
    scene: Scene,
    load: SendLoad,
    trial: Trial,
  ): Promise<{ stop: Stop; tookMs: number; underWay: number }>;
}

const holdMsMax = 30;

export const kinds: Kind[] = [
  { name: 'pauses', refusal: 409, stopsDeferred: true, round: pauseOnce },
  { name: 'policies', refusal: 403, stopsDeferred: false, round: forbidOnce },
  { name: 'keys', refusal: 401, stopsDeferred: false, round: revokeOnce },
];

/** The object that a command of the operator names, and the sends that it concerns. */
interface Place {
  name: string;
  input: Record<string, unknown>;
  concerns(send: Send): boolean;
}

/** Returns a key, an inbox or a workspace at random, or with `server` also all of it. */
function choosePlace({ senders }: Scene, random: () => number, server: boolean): Place {
  const { id, workspace } = senders[Math.floor(random() * senders.length)]!;
  const inbox = workspace.inboxes[Math.floor(random() * workspace.inboxes.length)]!;
  const places: Place[] = [
    { name: 'a key', input: { key: id }, concerns: ({ sender }) => sender.id === id },
    { name: 'an inbox', input: { inbox: inbox.id }, concerns: ({ inboxId }) => inboxId === inbox.id },
    {
      name: 'a workspace',
      input: { workspace: workspace.name },
      concerns: ({ sender }) => sender.workspace === workspace,
    },
    { name: 'the server', input: { server: true }, concerns: () => true },
  ];
  return places[Math.floor(random() * (server ? 4 : 3))]!;
}

async function pauseOnce({ home, ...scene }: Scene, _load: SendLoad, { random }: Trial) {
  const place = choosePlace({ home, ...scene }, random, true);
  return stopAt(place, random, {
    begin: () => home.operate('pause', place.input),
    end: () => home.operate('resume', place.input),
  });
}

async function forbidOnce({ home, ...scene }: Scene, _load: SendLoad, { random }: Trial) {
  const place = choosePlace({ home, ...scene }, random, false);
  return stopAt(place, random, {
    begin: () => home.operate('policy set', { ...place.input, lines: { send: 'never' } }),
    end: () => home.operate('policy clear', place.input),
  });
}

/** Revokes the key of some callers, which get another one afterwards. */
async function revokeOnce(scene: Scene, load: SendLoad, { random }: Trial) {
  const revoked = load.senderOf(Math.floor(random() * callers));
  const next = await makeSender(scene.home, revoked.workspace);
  const place: Place = {
    name: 'a revocation',
    input: { id: revoked.id },
    concerns: ({ sender }) => sender === revoked,
  };
  const done = await stopAt(place, random, {
    begin: () => scene.home.operate('keys revoke', place.input),
    end: async () => {
      for (let caller = 0; caller < callers; caller++)
        if (load.senderOf(caller) === revoked) load.change(caller, next);
    },
  });
  // It never ends.
  return { ...done, stop: { ...done.stop, untilMs: Number.POSITIVE_INFINITY } };
}

async function stopAt(
  { name, concerns }: Place,
  random: () => number,
  { begin, end }: { begin(): Promise<unknown>; end(): Promise<unknown> },
) {
  const askedAtMs = performance.now();
  const answer = await begin();
  const fromMs = performance.now();
  await sleep(random() * holdMsMax);
  const untilMs = performance.now();
  await end();
  await sleep(random() * holdMsMax);
  const underWay = (answer as { under_way?: number } | undefined)?.under_way ?? 0;
  return { stop: { name, concerns, fromMs, untilMs }, tookMs: fromMs - askedAtMs, underWay };
}
