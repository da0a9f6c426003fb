/*
 * Amazon SES as the published API reference of version 2 describes it: the operations that this project calls, over real HTTP, in memory.
 * It refuses unsigned requests, enforces what it is told to, and records each request as it came.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerIdentity, fail, type SesBody, type SesIdentity, send } from './local-ses-identities.ts';

/** A message that was accepted. */
export interface SesMessage {
  id: string;
  to: string[];
  from: string | undefined;
  raw: Buffer;
  configurationSet: string | undefined;
  tags: Record<string, string>;
}

/** A request as it came. */
export interface SesRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: SesBody;
}

/**
 * What happens to the next calls of `SendEmail`, instead of accepting the message. `drop-early` closes the connection before the body is
 * read, `drop-late` once it has been read and the message was accepted. `hang` accepts the message and never responds.
 */
export type SesTrouble =
  | { kind: 'error'; status: number; code: string; message: string }
  | { kind: 'page'; status: number }
  | { kind: 'drop-early' | 'drop-late' | 'hang' };

/** A running SES with one account. */
export interface LocalSes {
  url: string;
  messages: SesMessage[];
  requests: SesRequest[];
  identities: Map<string, SesIdentity>;
  /** The state of the account. Verified addresses and domains are only enforced if there are some. */
  account: {
    sandbox: boolean;
    sendingEnabled: boolean;
    maxSendRate: number;
    max24Hour: number;
    verified: string[];
  };
  /** How many calls of `SendEmail` are under way, and the most so far. */
  underway: { now: number; most: number };
  /** Waits before each response to `SendEmail`. */
  delayMs: number;
  /** Messages are answered only after this. */
  held: Promise<void> | null;
  /** Makes trouble for the next calls of `SendEmail`, to a recipient or to any. */
  trouble(trouble: SesTrouble, options?: { times?: number; recipient?: string }): void;
  /** Makes no more trouble. */
  calm(): void;
  close(): Promise<void>;
}

interface Scripted {
  trouble: SesTrouble;
  times: number;
  recipient: string | null;
}

type State = Omit<LocalSes, 'url' | 'trouble' | 'calm' | 'close'> & { scripted: Scripted[] };

/** Starts the service on a free port of this machine. */
export async function startLocalSes(): Promise<LocalSes> {
  const state: State = {
    messages: [],
    requests: [],
    identities: new Map(),
    account: { sandbox: false, sendingEnabled: true, maxSendRate: 1_000, max24Hour: 50_000, verified: [] },
    underway: { now: 0, most: 0 },
    delayMs: 0,
    held: null,
    scripted: [],
  };
  const server = createServer((req, res) => {
    respond(state, req, res).catch(() => res.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    trouble: (trouble: SesTrouble, { times = 1, recipient = null as string | null } = {}) => {
      state.scripted.push({ trouble, times, recipient });
    },
    calm: () => {
      state.scripted.length = 0;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  });
}

async function respond(state: State, req: IncomingMessage, res: ServerResponse): Promise<unknown> {
  const early = state.scripted.find(({ trouble }) => trouble.kind === 'drop-early');
  if (early && req.url === '/v2/email/outbound-emails') {
    use(state, early);
    return req.socket.resetAndDestroy();
  }
  const text = Buffer.concat(await req.toArray()).toString();
  const body = (text === '' ? {} : JSON.parse(text)) as SesBody;
  const request = { method: req.method ?? '', path: req.url ?? '', headers: req.headers, body };
  state.requests.push(request);
  if (!/^AWS4-HMAC-SHA256 Credential=[^,]+\/ses\/aws4_request, /.test(req.headers.authorization ?? ''))
    return fail(res, 403, 'MissingAuthenticationTokenException', 'Missing Authentication Token');
  const identity = /^\/v2\/email\/identities(?:\/([^/]+)(\/dkim\/signing|\/mail-from|\/dkim)?)?$/.exec(
    request.path,
  );
  if (identity) return answerIdentity(state.identities, request, res, identity);
  if (request.path === '/v2/email/account') return send(res, 200, describeAccount(state));
  if (request.path !== '/v2/email/outbound-emails' || request.method !== 'POST')
    return fail(res, 404, 'NotFoundException', `No such operation: ${request.method} ${request.path}`);
  state.underway.now += 1;
  state.underway.most = Math.max(state.underway.most, state.underway.now);
  try {
    if (state.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, state.delayMs));
    await state.held;
    return await answerSend(state, body, res);
  } finally {
    state.underway.now -= 1;
  }
}

function use(state: State, scripted: Scripted): SesTrouble {
  scripted.times -= 1;
  if (scripted.times === 0) state.scripted.splice(state.scripted.indexOf(scripted), 1);
  return scripted.trouble;
}

async function answerSend(state: State, body: SesBody, res: ServerResponse): Promise<unknown> {
  const to = body.Destination?.ToAddresses ?? [];
  const found = state.scripted.find(({ recipient }) => recipient === null || to.includes(recipient));
  const trouble = found && use(state, found);
  if (trouble?.kind === 'error') return fail(res, trouble.status, trouble.code, trouble.message);
  if (trouble?.kind === 'page') {
    return res.writeHead(trouble.status, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
  }
  const refusal = findRefusal(state, body, to);
  if (refusal) return fail(res, 400, 'MessageRejected', refusal);
  const raw = Buffer.from(body.Content?.Raw?.Data ?? '', 'base64');
  const id = `0102${randomUUID()}-000000`;
  state.messages.push({
    id,
    to,
    from: body.FromEmailAddress,
    raw,
    configurationSet: body.ConfigurationSetName,
    tags: Object.fromEntries((body.EmailTags ?? []).map(({ Name, Value }) => [Name, Value])),
  });
  if (trouble?.kind === 'hang') return null;
  if (trouble?.kind === 'drop-late') return res.socket?.resetAndDestroy();
  return send(res, 200, { MessageId: id });
}

function findRefusal({ account }: State, body: SesBody, to: string[]): string | null {
  if (account.verified.length === 0) return null;
  const sender = /<?([^<>\s]+@[^<>\s]+?)>?$/.exec(body.FromEmailAddress ?? '')?.[1] ?? '';
  const checked = [sender, ...(account.sandbox ? to : [])];
  const isVerified = (address: string) =>
    account.verified.some((name) => name === address || address.endsWith(`@${name}`));
  const failed = checked.filter((address) => !isVerified(address));
  return failed.length === 0
    ? null
    : `Email address is not verified. The following identities failed the check in region EU-WEST-1: ${failed.join(', ')}`;
}

function describeAccount({ account, messages }: State) {
  return {
    DedicatedIpAutoWarmupEnabled: false,
    EnforcementStatus: account.sendingEnabled ? 'HEALTHY' : 'SHUTDOWN',
    ProductionAccessEnabled: !account.sandbox,
    SendingEnabled: account.sendingEnabled,
    SendQuota: {
      Max24HourSend: account.max24Hour,
      MaxSendRate: account.maxSendRate,
      SentLast24Hours: messages.length,
    },
  };
}
