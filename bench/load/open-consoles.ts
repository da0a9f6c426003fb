/*
 * Plays open consoles: each follows the stream of changes, and reads what its page reads whenever something happened. One half shows the
 * threads and the other half the inboxes. Ten share a session, like the tabs of one browser. Prints a line of JSON once all are open, and
 * continues until the process ends.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { consoleHeader, type Session, workspaceHeader } from '@postrider/contract/console';
import { Pool } from 'undici';

/** The consoles to open. */
export interface OpenConsoles {
  origin: string;
  email: string;
  password: string;
  consoles: number;
}

const paths = ['/console/api/threads?limit=100', '/console/api/inboxes?limit=100'] as const;
/** An open page asks again at once, but its browser takes a while to draw what came. */
const drawMs = 50;
/** More sign-ins of one account in a row, and more requests a minute of one session, would be refused. */
const tabs = 10;

const { origin, email, password, consoles } = JSON.parse(process.argv[2] ?? '{}') as OpenConsoles;
const pool = new Pool(origin, { connections: consoles + 6, pipelining: 1, bodyTimeout: 0 });
const host = new URL(origin).host;

interface SignedIn {
  cookie: string;
  workspace: string;
}

async function signIn(): Promise<SignedIn> {
  const headers = { origin, host, [consoleHeader]: '1', 'content-type': 'application/json' };
  const body = JSON.stringify({ email, password });
  const answer = await pool.request({ method: 'POST', path: '/console/api/session', headers, body });
  if (answer.statusCode !== 200) throw new Error(`The sign-in was answered ${answer.statusCode}.`);
  const { workspaces } = (await answer.body.json()) as Session;
  const cookies = [answer.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0]);
  return { cookie: cookies.join('; '), workspace: workspaces[0]?.workspace_id ?? '' };
}

/** Opens one console. It reads in the background until the process ends. */
async function open({ cookie, workspace }: SignedIn, shown: string): Promise<void> {
  const headers = { cookie, host, [consoleHeader]: '1', [workspaceHeader]: workspace };
  const read = async () => {
    const { statusCode, body } = await pool.request({ method: 'GET', path: shown, headers });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${shown} was answered ${statusCode}.`);
  };
  await read();
  const path = `/console/api/changes?workspace=${workspace}`;
  const stream = await pool.request({ method: 'GET', path, headers });
  if (stream.statusCode !== 200) throw new Error(`The stream was answered ${stream.statusCode}.`);
  void follow(stream.body, read);
}

async function follow(stream: AsyncIterable<Buffer>, read: () => Promise<void>): Promise<void> {
  for await (const part of stream) {
    if (!part.includes('event: changes')) continue;
    await read();
    await sleep(drawMs);
  }
}

for (let opened = 0; opened < consoles; ) {
  const session = await signIn();
  for (let tab = 0; tab < tabs && opened < consoles; tab += 1, opened += 1)
    await open(session, paths[opened % 2 === 0 ? 0 : 1]);
}
console.log(JSON.stringify({ opened: consoles }));
