import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import type { Fault } from '../fault.ts';
import { compareIdle } from '../idle-connections.ts';
import { invariants } from '../invariants.ts';
import { isAlive } from '../is-alive.ts';
import { startSmtpProxy } from '../smtp-proxy.ts';
import { openSubject, type Subject } from '../subject.ts';
import { commandScripts } from '../torture/commands.ts';
import { connectionScripts } from '../torture/connections.ts';
import { contentScripts } from '../torture/contents.ts';
import { Player, type TortureScript } from '../torture/torture-script.ts';
import type { Trial } from '../trial.ts';

const scripts = [...contentScripts, ...commandScripts, ...connectionScripts];
const otherCount = 'scripts after which another number of messages is stored';
const otherCodes = 'scripts with other replies';

/** A relay that takes bare line feeds for line ends, which makes SMTP smuggling possible. */
const repairsLineEnds = {
  bytes: (chunk: Buffer) => Buffer.from(chunk.toString('latin1').replace(/(?<!\r)\n/g, '\r\n'), 'latin1'),
};

export const smtpTorture: Fault = {
  name: 'smtp-torture',
  about: `${scripts.length} SMTP scripts that no polite client would write, and 500 idle connections`,
  times: { postgres: 1, own: 1 },
  control: {
    about: 'a relay in front that turns bare line feeds into line ends',
    breaks: [otherCount],
    times: 1,
  },
  run: async (trial) => {
    const subject = await openSubject(trial);
    try {
      await torture(trial, subject);
    } finally {
      await subject.close();
    }
  },
};

async function torture(trial: Trial, { home }: Subject): Promise<void> {
  const server = await home.start();
  const proxy = trial.control ? await startSmtpProxy(() => server.smtpPort, repairsLineEnds) : null;
  const counts: string[] = [];
  const codes: string[] = [];
  for (let time = 0; time < trial.times; time++)
    for (const [number, script] of scripts.entries()) {
      const inbox = await server.client.inboxes.create({ local_part: `script-${time}-${number}` });
      const seen = await play(script, proxy?.port ?? server.smtpPort, inbox.address);
      const stored = await countStored(server, inbox.id, script.stored);
      if (stored !== script.stored) counts.push(`${script.name}: ${stored}, not ${script.stored}`);
      if (seen !== shorten(script.codes)) codes.push(`${script.name}: ${seen}, not ${shorten(script.codes)}`);
      trial.count('scripts');
    }
  trial.progress(`${scripts.length} scripts, ${counts.length + codes.length} surprises`);
  await proxy?.close();
  trial.invariant(otherCount, counts.length, { exactly: 0 }, counts);
  trial.invariant(otherCodes, codes.length, { exactly: 0 }, codes);
  if (!trial.control) await compareIdle(trial, server);
  trial.invariant(invariants.exits, isAlive(server.pid) ? 0 : 1, { exactly: 0 });
  await server.stop();
}

/** Plays a script. Returns the replies to it, with the error if there was one. */
async function play(script: TortureScript, port: number, to: string): Promise<string> {
  const player = new Player(port, to);
  try {
    await script.play(player);
    return shorten(player.codes);
  } catch (error) {
    return `${shorten(player.codes)} ${String(error).slice(0, 200)}`;
  } finally {
    player.end();
  }
}

/** Returns the codes on one line, with repetitions counted. */
function shorten(codes: (number | null)[]): string {
  const runs: [number | null, number][] = [];
  for (const code of codes) {
    const last = runs.at(-1);
    if (last && last[0] === code) last[1]++;
    else runs.push([code, 1]);
  }
  return runs.map(([code, times]) => `${code ?? 'closed'}${times > 1 ? `×${times}` : ''}`).join(' ');
}

/** Returns the number of messages in an inbox, once there are as many as expected or enough time has passed. */
async function countStored({ client }: ServerProcess, inbox_id: string, expected: number): Promise<number> {
  const until = performance.now() + 5_000;
  for (;;) {
    const { messages } = await client.messages.list({ inbox_id, limit: 100 });
    if (messages.length >= expected || performance.now() > until) return messages.length;
  }
}
