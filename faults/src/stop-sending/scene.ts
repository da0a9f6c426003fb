import type { ServerHome, ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { openSubject, type Subject, sendsThrough } from '../subject.ts';
import type { Trial } from '../trial.ts';

/** A key of a scene, and the inboxes that it sends from. */
export interface Sender {
  key: string;
  id: string;
  workspace: Workspace;
}

/** A workspace of a scene with its inboxes. */
export interface Workspace {
  name: string;
  /** A key that nobody stops, to look at the workspace with. */
  key: string;
  inboxes: { id: string; address: string }[];
}

/** Servers on one database that send through a sink, with workspaces, inboxes and keys. */
export interface Scene {
  sink: MailSink;
  subject: Subject;
  home: ServerHome;
  servers: ServerProcess[];
  workspaces: Workspace[];
  senders: Sender[];
  close(): Promise<void>;
}

const workspaceNames = ['home', 'away'];
const keysEach = 3;
const inboxesEach = 2;

/** Opens a scene: on Postgres with two server processes, each with connections of its own. */
export async function openScene(trial: Trial, env: Record<string, string> = {}): Promise<Scene> {
  const sink = await MailSink.start();
  const subject = await openSubject(trial, { env: { ...sendsThrough(sink), ...env } });
  const { home } = subject;
  const close = async () => {
    await subject.close();
    await sink.close();
  };
  try {
    const count = trial.database === 'postgres' ? 2 : 1;
    const servers: ServerProcess[] = [];
    // The first has the socket of the operator.
    for (let n = 0; n < count; n++) servers.push(await home.start());
    const workspaces: Workspace[] = [];
    const senders: Sender[] = [];
    for (const name of workspaceNames) {
      const workspace = await makeWorkspace(home, servers[0]!, name);
      workspaces.push(workspace);
      for (let n = 0; n < keysEach; n++) senders.push(await makeSender(home, workspace));
    }
    return { sink, subject, home, servers, workspaces, senders, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function makeWorkspace(home: ServerHome, { url }: ServerProcess, name: string): Promise<Workspace> {
  if (name !== 'home') await home.operate('workspaces create', { name, plan: 'business', test: false });
  const key = name === 'home' ? home.key : (await makeKey(home, name)).key;
  const inboxes: Workspace['inboxes'] = [];
  for (let n = 0; n < inboxesEach; n++) {
    const response = await fetch(`${url}/v1/inboxes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ local_part: `${name}-${n}` }),
    });
    inboxes.push((await response.json()) as { id: string; address: string });
  }
  return { name, key, inboxes };
}

/** Makes another key of a workspace that messages are sent with. */
export async function makeSender(home: ServerHome, workspace: Workspace): Promise<Sender> {
  return { ...(await makeKey(home, workspace.name)), workspace };
}

function makeKey(home: ServerHome, workspace: string): Promise<{ id: string; key: string }> {
  return home.operate('keys create', { workspace, name: 'sender' }) as Promise<{ id: string; key: string }>;
}
