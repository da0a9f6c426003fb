import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import type { Fault } from '../fault.ts';
import { crossWindow } from '../idempotency-window.ts';
import { type PostAnswer, postMessage } from '../post-message.ts';
import { openSubject, type Subject, sendsThrough } from '../subject.ts';
import type { Trial } from '../trial.ts';

const repeats = 20;
const idsAtOnce = 5;
const names = {
  copies: 'client ids without exactly one copy at the sink',
  ids: 'client ids with several message ids',
  first: 'client ids without exactly one first answer',
  refused: 'requests that were not answered 200 or 201',
  changed: 'changed bodies that did not answer the original',
  messages: 'messages at the sink',
};

export const sameClientId: Fault = {
  name: 'same-client-id',
  about: `${repeats} identical requests at once for each client_id, at one server and on Postgres at two`,
  times: { postgres: 200, own: 200 },
  control: {
    about: 'the same requests without a client_id',
    breaks: [names.copies, names.ids],
    times: 20,
  },
  run: async (trial) => {
    await repeatAt(trial, 1);
    if (trial.database === 'postgres') await repeatAt(trial, 2);
    if (trial.database === 'postgres' && !trial.control) await crossWindow(trial);
  },
};

/** Sends everything to a number of processes in turn. */
export async function repeatAt(trial: Trial, processes: number): Promise<void> {
  const sink = await MailSink.start();
  // The window is as long as in production. With the usual time scale it would end within the trial.
  const subject = await openSubject(trial, { env: { ...sendsThrough(sink), POSTRIDER_TIME_SCALE: '1' } });
  try {
    const servers = await Promise.all(Array.from({ length: processes }, () => subject.home.start()));
    await repeatAll(trial, { subject, sink, servers });
    await Promise.all(servers.map((server) => server.stop()));
  } finally {
    await subject.close();
    await sink.close();
  }
}

interface Setting {
  subject: Subject;
  sink: MailSink;
  servers: ServerProcess[];
}

async function repeatAll(trial: Trial, setting: Setting): Promise<void> {
  const { sink, servers, subject } = setting;
  const inbox = await servers[0]!.client.inboxes.create({ local_part: 'sender' });
  const broken = new Map<string, string[]>(Object.values(names).map((name) => [name, []]));
  const note = (name: string, what: string) => broken.get(name)?.push(what);
  for (let begun = 0; begun < trial.times; begun += idsAtOnce) {
    const numbers = Array.from({ length: Math.min(idsAtOnce, trial.times - begun) }, (_, i) => begun + i);
    await Promise.all(
      numbers.map(async (number) => {
        const body = makeBody(trial, inbox.id, number);
        const answers = await Promise.all(
          Array.from({ length: repeats }, (_, index) => {
            const server = servers[index % servers.length]!;
            return postMessage(server.url, subject.home.key, body);
          }),
        );
        judge(body.to[0]!, answers, sink, note);
        const other = { ...body, subject: 'another', to: ['another@example.com'] };
        const changed = await postMessage(servers[0]!.url, subject.home.key, other);
        if (changed?.id !== answers[0]?.id || changed?.status !== 200) note(names.changed, body.to[0]!);
      }),
    );
    trial.progress(`${servers.length} servers, ${begun + numbers.length} of ${trial.times} client ids`);
  }
  const prefix = servers.length > 1 ? `${servers.length} servers: ` : '';
  trial.figure(`${prefix}requests`, trial.times * (repeats + 1));
  trial.figure(`${prefix}${names.messages}`, sink.messages.length);
  for (const [name, what] of broken)
    if (name !== names.messages) trial.invariant(prefix + name, what.length, { exactly: 0 }, what);
  trial.invariant(prefix + names.messages, sink.messages.length, { exactly: trial.times });
}

function makeBody({ control }: Trial, inbox_id: string, number: number) {
  return {
    inbox_id,
    to: [`repeat-${number}@example.com`],
    subject: `Repeat ${number}`,
    text: 'Once, please.',
    ...(control ? {} : { client_id: `repeat-${number}` }),
  };
}

function judge(
  address: string,
  answers: (PostAnswer | null)[],
  sink: MailSink,
  note: (name: string, what: string) => void,
): void {
  const ids = new Set(answers.map((answer) => answer?.id));
  if (ids.size !== 1) note(names.ids, address);
  if (sink.copiesFor(address).length !== 1) note(names.copies, address);
  if (answers.filter((answer) => answer?.status === 201 && answer.idempotent === false).length !== 1)
    note(names.first, address);
  for (const answer of answers)
    if (answer?.status !== 200 && answer?.status !== 201)
      note(names.refused, `${address}: ${answer?.status}`);
}
