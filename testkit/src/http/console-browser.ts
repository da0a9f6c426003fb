import { consoleApiPath, consoleHeader, type Session, workspaceHeader } from '@postrider/contract/console';
import { hashPassword } from '../../../server/src/lib/crypto/hash-password.ts';
import { insertPerson } from '../../../server/src/people/person.ts';
import type { TestServer, TestWorkspace } from '../servers/test-server.ts';
import { type PlainAnswer, requestPlainly } from './plain-request.ts';

/** A request of a page. Each header may be replaced, or left out by an empty text. */
export interface PageRequest {
  method?: string;
  body?: object;
  workspace?: string;
  headers?: Record<string, string>;
}

/** A person of a test, who can sign in. */
export interface TestPerson {
  id: string;
  email: string;
  password: string;
}

/** Returns the headers by which the server knows a request of its own pages. */
export function pageHeaders(url: string): Record<string, string> {
  return { origin: url, [consoleHeader]: '1' };
}

/** Sends requests as the pages of the console do, with cookies, and without a browser. */
export class ConsoleBrowser {
  readonly cookies: Map<string, string> = new Map();
  workspace: string | null = null;
  readonly #url: string;

  constructor(server: Pick<TestServer, 'url'>) {
    this.#url = server.url;
  }

  /** The cookies as a browser sends them. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Sends a request to a path below `/console/api`. */
  async request(
    path: string,
    { method = 'GET', body, workspace, headers = {} }: PageRequest = {},
  ): Promise<PlainAnswer> {
    const all = {
      ...pageHeaders(this.#url),
      [workspaceHeader]: workspace ?? this.workspace ?? '',
      cookie: this.cookie,
      ...headers,
    };
    const answer = await requestPlainly(fetch, this.#url + consoleApiPath + path, {
      method,
      headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
      ...(body && { body }),
    });
    for (const set of answer.headers.getSetCookie()) this.#keep(set);
    return answer;
  }

  /** Signs in, and works in the first workspace of the person. */
  async signIn(
    { email, password }: Pick<TestPerson, 'email' | 'password'>,
    code?: string,
  ): Promise<PlainAnswer> {
    const answer = await this.request('/session', { method: 'POST', body: { email, password, code } });
    if (answer.status === 200)
      this.workspace = (answer.body as unknown as Session).workspaces[0]?.workspace_id ?? null;
    return answer;
  }

  #keep(set: string): void {
    const [pair = '', ...attributes] = set.split('; ');
    const at = pair.indexOf('=');
    const isGone = attributes.some((one) => /^expires=Thu, 01 Jan 1970/i.test(one));
    if (isGone) this.cookies.delete(pair.slice(0, at));
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

/** Creates a person in a workspace, by default an owner. */
export async function makePerson(
  test: TestServer,
  role: 'owner' | 'member' = 'owner',
  workspace: Pick<TestWorkspace, 'id'> = test,
): Promise<TestPerson> {
  const email = `${test.freshName('person')}@people.example`;
  const password = `secret of ${email}`;
  const { deps } = test.server;
  const passwordHash = await hashPassword(password);
  const id = await insertPerson(deps, { email, name: 'Ada', passwordHash });
  const row = { workspace_id: workspace.id, person_id: id, role, created_at: deps.clock.now() };
  await deps.db.insertInto('memberships').values(row).execute();
  return { id, email, password };
}

/** Creates a person and signs in. */
export async function signedIn(
  test: TestServer,
  role: 'owner' | 'member' = 'owner',
  workspace: Pick<TestWorkspace, 'id'> = test,
): Promise<ConsoleBrowser & { person: TestPerson }> {
  const person = await makePerson(test, role, workspace);
  const browser = new ConsoleBrowser(test);
  const { status } = await browser.signIn(person);
  if (status !== 200) throw new Error(`The sign-in was answered ${status}.`);
  return Object.assign(browser, { person });
}
