import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';

/** A web service with accounts that are confirmed by mail: by a code first, then by a link. */
export interface Site {
  url: string;
  /** The requests that it got, and the status of each response, oldest first: `POST /accounts 201`. */
  requests: string[];
  /** Mails a new code, which makes the earlier ones void. */
  sendCode(address: string): Promise<void>;
  stop(): Promise<void>;
}

/** How the service is started. */
export interface SiteOptions {
  /** Where it sends its mail, on 127.0.0.1. */
  smtpPort: number;
  /** Where it listens, on 127.0.0.1; by default on a free port. */
  port?: number;
  /** False leaves it to the caller to have codes sent. */
  sendsCodes?: boolean;
}

/** Starts the service. */
export async function startSite({ smtpPort, port = 0, sendsCodes = true }: SiteOptions): Promise<Site> {
  // The mail server made its certificate itself.
  const mail = createTransport({ host: '127.0.0.1', port: smtpPort, tls: { rejectUnauthorized: false } });
  const accounts = new Accounts(async (to, subject, text) => {
    await mail.sendMail({ from: 'The Service <hello@service.example>', to, subject, text });
  }, sendsCodes);
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const status = await answer(accounts, request, siteURL()).catch(() => 500);
    requests.push(`${request.method} ${request.url?.split('?')[0]} ${status}`);
    response.writeHead(status).end();
  });
  const siteURL = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: siteURL(),
    requests,
    sendCode: (address) => accounts.sendCode(address),
    async stop() {
      mail.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(accounts: Accounts, request: IncomingMessage, siteURL: string): Promise<number> {
  const { pathname, searchParams } = new URL(request.url ?? '', siteURL);
  const read = async () => (await json(request)) as { address: string; code: string };
  switch (`${request.method} ${pathname}`) {
    case 'POST /accounts':
      return accounts.open(await read());
    case 'POST /codes':
      return accounts.enterCode(await read(), `${siteURL}/confirm`);
    case 'GET /confirm':
      return accounts.hasToken(searchParams.get('token')) ? 200 : 404;
    default:
      return 404;
  }
}

type Send = (to: string, subject: string, text: string) => Promise<void>;

class Accounts {
  readonly #accounts = new Map<string, { code: string | null; isCodeEntered: boolean; token: string }>();
  readonly #send: Send;
  readonly #sendsCodes: boolean;

  constructor(send: Send, sendsCodes: boolean) {
    this.#send = send;
    this.#sendsCodes = sendsCodes;
  }

  async open({ address }: { address: string }): Promise<number> {
    if (this.#accounts.has(address)) return 409;
    this.#accounts.set(address, { code: null, isCodeEntered: false, token: randomUUID() });
    if (this.#sendsCodes) await this.sendCode(address);
    return 201;
  }

  async sendCode(address: string): Promise<void> {
    const account = this.#accounts.get(address);
    if (account === undefined) throw new Error(`There is no account of ${address}.`);
    account.code = String(randomInt(100_000, 1_000_000));
    const text = `Your code is ${account.code}. It is valid until another one is sent.`;
    await this.#send(address, 'Your code', text);
  }

  async enterCode({ address, code }: { address: string; code: string }, confirm: string): Promise<number> {
    const account = this.#accounts.get(address);
    if (account?.isCodeEntered) return 409;
    if (account === undefined || account.code !== code) return 403;
    account.isCodeEntered = true;
    await this.#send(address, 'One more thing', `Confirm your address:\n${confirm}?token=${account.token}`);
    return 204;
  }

  hasToken(token: string | null): boolean {
    return [...this.#accounts.values()].some((account) => account.token === token);
  }
}
