import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import type { Fault } from '../fault.ts';
import { openSubject, type Subject, sendsThrough } from '../subject.ts';
import type { Trial } from '../trial.ts';

const main = fileURLToPath(new URL('../../../mcp/src/main.ts', import.meta.url));
const twice = 'calls that sent twice';
const momentMsMax = 120;
const triesMax = 20;

export const killMcp: Fault = {
  name: 'kill-mcp',
  about:
    'kill -9 of the server or of the MCP command in the middle of a send_message, which the host repeats as it is',
  times: { postgres: 50, own: 50 },
  control: {
    about: 'a host that repeats with another client_id',
    breaks: [twice],
    times: 20,
  },
  run: async (trial) => {
    const sink = await MailSink.start();
    const subject = await openSubject(trial, { env: sendsThrough(sink) });
    try {
      await killInCalls(trial, subject, sink);
    } finally {
      await subject.close();
      await sink.close();
    }
  },
};

async function killInCalls(trial: Trial, { home }: Subject, sink: MailSink): Promise<void> {
  let server = await home.start();
  const inbox = await server.client.inboxes.create({ local_part: 'agent' });
  const errors = { said: 0, silent: 0 };
  let unanswered = 0;
  for (let turn = 1; turn <= trial.times; turn++) {
    const args = {
      inbox_id: inbox.id,
      to: [`to-${turn}@example.com`],
      subject: `Turn ${turn}`,
      text: 'Only once.',
    };
    let host = await connect(server, home.key);
    const call = callTool(host, args);
    await sleep(trial.random() * momentMsMax);
    if (turn % 2 === 0) {
      await server.crash();
      server = await home.start();
    } else kill(host);
    trial.count(turn % 2 === 0 ? 'kills of the server' : 'kills of the command');
    let answer = await call;
    for (let attempt = 1; answer?.isError !== false && attempt <= triesMax; attempt++) {
      noteError(errors, answer);
      await host.close().catch(() => {});
      host = await connect(server, home.key);
      answer = await callTool(host, {
        ...args,
        ...(trial.control && { client_id: `again-${turn}-${attempt}` }),
      });
    }
    if (answer?.isError !== false) unanswered++;
    await host.close().catch(() => {});
    trial.progress(`turn ${turn} of ${trial.times}`);
  }
  await sleep(3_000);
  checkSent(trial, sink);
  trial.invariant('calls that were never answered', unanswered, { exactly: 0 });
  trial.invariant('errors that do not say what to do', errors.silent, { exactly: 0 });
  trial.figure('errors that say what to do', errors.said);
  await server.stop();
}

interface Told {
  isError: boolean;
  next?: unknown;
}

/** Returns what the tool said; null if the command was gone before it said anything. */
async function callTool(host: Client, args: Record<string, unknown>): Promise<Told | null> {
  try {
    const { isError = false, content } = (await host.callTool({
      name: 'send_message',
      arguments: args,
    })) as CallToolResult;
    const [part] = content;
    return { isError, next: JSON.parse(part?.type === 'text' ? part.text : '{}').next };
  } catch {
    return null;
  }
}

function noteError(errors: { said: number; silent: number }, answer: Told | null): void {
  if (answer === null) return;
  if (typeof answer.next === 'string' && answer.next !== '') errors.said++;
  else errors.silent++;
}

async function connect({ url }: ServerProcess, key: string): Promise<Client> {
  const env = { POSTRIDER_API_KEY: key, POSTRIDER_BASE_URL: `${url}/v1`, POSTRIDER_LOG: 'off' };
  const host = new Client({ name: 'fault', version: '1' });
  await host.connect(
    new StdioClientTransport({ command: process.execPath, args: [main], env, stderr: 'ignore' }),
  );
  return host;
}

function kill({ transport }: Client): void {
  const { pid } = transport as StdioClientTransport;
  if (pid !== null) process.kill(pid, 'SIGKILL');
}

/** Each turn has a recipient of its own, who gets one message. A relay may get copies of it, which have the same Message-ID. */
function checkSent(trial: Trial, sink: MailSink): void {
  const ids = new Map<string, Set<string>>();
  for (const { recipients, messageId } of sink.messages)
    for (const to of recipients) ids.set(to, (ids.get(to) ?? new Set()).add(messageId ?? ''));
  const doubled = [...ids].filter(([, some]) => some.size > 1).map(([to]) => to);
  trial.invariant(twice, doubled.length, { exactly: 0 }, doubled);
  trial.figure('messages at the relay', ids.size);
}
