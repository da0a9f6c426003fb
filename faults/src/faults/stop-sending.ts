import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { Postrider } from 'postrider';
import type { Fault } from '../fault.ts';
import { checkSends } from '../invariants.ts';
import { percentile } from '../noisy-neighbour/figures.ts';
import { seeHanging } from '../stop-sending/hanging-relay.ts';
import { type Breaches, findBreaches, type Stop } from '../stop-sending/judge.ts';
import { envWithout, type Mechanism, mechanisms, removeFromDatabase } from '../stop-sending/mechanisms.ts';
import { type Kind, kinds } from '../stop-sending/rounds.ts';
import { openScene, type Scene } from '../stop-sending/scene.ts';
import { type SendLoad, startSendLoad } from '../stop-sending/send-load.ts';
import type { Trial, TrialOptions } from '../trial.ts';

const progressEvery = 100;
const hanging = 'hanging';
const names = {
  begun: 'mails that began to leave after the acknowledgement',
  notEnded: 'mails that were still leaving at the acknowledgement',
  accepted: 'sends that began after the acknowledgement and were accepted',
  others: 'other answers than 201 and the refusal',
  underWay: 'acknowledgements that say that mail is under way',
  failed: 'accepted recipients that are not sent',
  wrong: 'mails that left although a mechanism was missing',
};

const isChosen = ({ only }: TrialOptions, name: string) => only === undefined || only.includes(name);
const breachesWithout = (kind: Kind, mechanism: Mechanism) =>
  `${kind.name} without the ${mechanism}: mails that left after the acknowledgement`;

export const stopSending: Fault = {
  name: 'stop-sending',
  about:
    'pauses, policies and revoked keys stop 20 callers again and again, on Postgres at two servers; and a pause while the relay hangs',
  times: { postgres: 1_000, own: 200 },
  control: {
    about: 'servers without the lock, without the version, and without the wait for what is under way',
    breaks: (options) =>
      kinds
        .filter(({ name }) => isChosen(options, name))
        .flatMap((kind) => mechanisms.map((each) => breachesWithout(kind, each))),
    times: 200,
  },
  run: async (trial) => {
    for (const kind of kinds.filter(({ name }) => isChosen(trial, name))) {
      if (!trial.control) await stopAgainAndAgain(trial, kind);
      else for (const mechanism of mechanisms) await stopWithout(trial, kind, mechanism);
    }
    if (!trial.control && isChosen(trial, hanging)) await seeHanging(trial);
  },
};

async function stopAgainAndAgain(trial: Trial, kind: Kind): Promise<void> {
  const scene = await openScene(trial);
  try {
    const { breaches, load, tookMs, underWay } = await run(trial, kind, scene);
    const { name } = kind;
    for (const what of ['begun', 'notEnded', 'accepted'] as const)
      trial.invariant(`${name}: ${names[what]}`, breaches[what].length, { exactly: 0 }, breaches[what]);
    trial.invariant(`${name}: ${names.underWay}`, underWay, { exactly: 0 });
    const others = load.sends.filter(({ answer }) => ![201, kind.refusal].includes(answer?.status ?? 0));
    const seen = others.map(({ answer }) => String(answer?.status ?? 'no response'));
    trial.invariant(`${name}: ${names.others}`, others.length, { exactly: 0 }, seen);
    trial.figure(`${name}: made`, tookMs.length);
    trial.figure(`${name}: acknowledged after ms, p50`, Math.round(percentile(tookMs, 0.5)));
    trial.figure(`${name}: acknowledged after ms, p99`, Math.round(percentile(tookMs, 0.99)));
    trial.figure(`${name}: acknowledged after ms, longest`, Math.round(percentile(tookMs, 1)));
    await checkAccepted(trial, kind, scene, load);
  } finally {
    await scene.close();
  }
}

async function stopWithout(trial: Trial, kind: Kind, mechanism: Mechanism): Promise<void> {
  const scene = await openScene(trial, envWithout(mechanism));
  try {
    await removeFromDatabase(scene, mechanism);
    const { breaches } = await run(trial, kind, scene);
    const left = [...breaches.begun, ...breaches.notEnded];
    trial.invariant(breachesWithout(kind, mechanism), left.length, { exactly: 0 }, left);
  } finally {
    await scene.close();
  }
}

interface Run {
  breaches: Breaches;
  load: SendLoad;
  tookMs: number[];
  underWay: number;
}

async function run(trial: Trial, kind: Kind, scene: Scene): Promise<Run> {
  const load = startSendLoad(scene);
  const stops: Stop[] = [];
  const tookMs: number[] = [];
  let underWay = 0;
  for (let round = 1; round <= trial.times; round++) {
    disturb(trial, scene.sink, kind);
    const done = await kind.round(scene, load, trial);
    stops.push(done.stop);
    tookMs.push(done.tookMs);
    underWay += Math.sign(done.underWay);
    if (round % progressEvery === 0)
      trial.progress(`${kind.name} ${round}, ${scene.sink.contents.length} mails at the relay`);
  }
  scene.sink.clearScript();
  await load.stop();
  const breaches = findBreaches(scene.sink.contents, load.sends, load.byAddress, stops);
  return { breaches, load, tookMs, underWay };
}

/** Makes the relay slow for some mails, and has it defer some. */
function disturb({ random }: Trial, sink: MailSink, { stopsDeferred }: Kind): void {
  sink.clearScript();
  const slow = () => ({ times: 10, after: Math.floor(random() * 5), delayMs: Math.ceil(random() * 40) });
  sink.script({ at: 'dot', ...slow() }, { at: 'rcpt', ...slow() });
  if (stopsDeferred && random() < 0.3) sink.script({ at: 'data', reply: '451 4.7.1 Later', times: 2 });
}

/** Checks that all that was accepted goes out once, and that nothing else does. */
async function checkAccepted(trial: Trial, { name }: Kind, scene: Scene, { sends }: SendLoad): Promise<void> {
  const accepted = sends.filter(({ answer }) => answer?.status === 201);
  trial.figure(`${name}: sends accepted`, accepted.length);
  trial.figure(`${name}: sends refused`, sends.length - accepted.length);
  for (const { key, ...workspace } of scene.workspaces) {
    const client = new Postrider({ apiKey: key, baseURL: `${scene.servers[0]!.url}/v1` });
    const own = accepted.filter(({ sender }) => sender.workspace.name === workspace.name);
    await checkSends(
      trial,
      client,
      scene.sink,
      own.map(({ answer }) => answer?.id ?? ''),
    );
  }
  const lost = accepted.filter(({ address }) => scene.sink.copiesFor(address).length === 0);
  trial.invariant(
    `${name}: ${names.failed}`,
    lost.length,
    { exactly: 0 },
    lost.map(({ address }) => address),
  );
  const stray = sends.filter(
    ({ address, answer }) => answer?.status !== 201 && scene.sink.copiesFor(address).length > 0,
  );
  trial.invariant(
    `${name}: refused sends that left`,
    stray.length,
    { exactly: 0 },
    stray.map(({ address }) => address),
  );
}
