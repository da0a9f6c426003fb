import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { playProvider } from '@postrider/testkit/dns/play-provider.ts';
import { makeToken } from '@postrider/testkit/http/management-requests.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { type ModelServer, startModelServer } from '@postrider/testkit/servers/model-server.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdminSocket } from '../../../src/admin/admin-socket.ts';
import { operator } from '../../../src/audit/append-audit.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

/*
 * The JavaScript blocks of a page, one after the other, are a program, and the `text` block behind one of them is what it
 * prints; so are the Python blocks of a page. Every page runs as it stands, twice and in both orders, in one workspace
 * of one server, as readers run them. Only ids, keys, times and addresses of the moment may differ from what is printed there. The records
 * of domains are published in a DNS server of the test, as readers do it at their providers.
 */

const root = resolve(import.meta.dirname, '../../../..');
const guides = (await readdir(join(root, 'docs/guides'))).map((name) => `docs/guides/${name}`);
const pages = ['README.md', 'docs/quickstart.md', ...guides];
const orders: [string, string[]][] = [
  ['in one order', pages],
  ['again, in the other order', pages.toReversed()],
];

const javaScript = {
  fence: 'js',
  file: 'page.mjs',
  client: 'new Postrider(',
  command: [process.execPath, '--disable-warning=ExperimentalWarning'],
};
const python = { fence: 'python', file: 'page.py', client: 'Postrider(', command: ['python3'] };
const shell = { fence: 'sh', file: 'page.sh', client: '', command: ['sh'] };
const isNewPython = ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'];
const hasPython = spawnSync('python3', isNewPython).status === 0;
const hasCurl = spawnSync('curl', ['--version']).status === 0;
/** The quickstart makes the inbox and the file that the other page uses. */
const pagesWithCurl = ['docs/quickstart.md', 'docs/guides/receiving.md', 'docs/guides/own-domain.md'];
const pagesForOperators = ['docs/guides/own-domain.md'];
/** The program of this page has a key that its commands make, so they run before it. */
const pageWithOwnKey = 'docs/guides/keep-an-agent-on-a-leash.md';
/** The commands of this page pause an inbox before its program, and resume it afterwards. */
const pageWithPause = 'docs/guides/when-an-agent-goes-wrong.md';
/** The first command of this page comes before its program, and each other one decides about what the program has just sent. */
const pageWithDecisions = 'docs/guides/approve-by-phone.md';

type Language = typeof javaScript;

/**
 * The languages of pages that have not JavaScript alone. The commands of `from-a-shell.md` are those of the program of the SDK, which has
 * tests of its own, and those of `coding-agents.md` install plugins in other programs.
 */
const languages: Record<string, Language[]> = {
  'docs/guides/from-a-shell.md': [],
  'docs/guides/coding-agents.md': [],
  'docs/quickstart.md': [javaScript, python],
  'docs/guides/python.md': [python],
};

/** The packages that pages import; those of the server come from where the server has them. */
const packages: Record<string, string> = {
  postrider: 'sdk',
  '@modelcontextprotocol/client': 'mcp/node_modules/@modelcontextprotocol/client',
  ...Object.fromEntries(
    [
      'zod',
      'openai',
      'ai',
      '@ai-sdk/openai-compatible',
      'langchain',
      '@langchain/core',
      '@langchain/openai',
    ].map((name) => [name, `server/node_modules/${name}`]),
  ),
};

interface Example {
  program: string;
  output: string;
}

const exampleOf = async (page: string, { fence }: Language): Promise<Example> => {
  const source = await readFile(join(root, page), 'utf8');
  const pattern = new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\`\\n(?:\\n\`\`\`text\\n(.*?)^\`\`\`\\n)?`, 'gms');
  const blocks = [...source.matchAll(pattern)];
  return {
    program: blocks.map(([, code = '']) => code).join('\n'),
    output: blocks.map(([, , printed = '']) => printed).join(''),
  };
};

/** Replaces everything that differs from run to run by one spelling. */
const withoutChance = (printed: string): string =>
  printed
    .replaceAll(/\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, '$1_…')
    .replaceAll(/\b\d{13}\b/g, '…')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '…')
    .replaceAll(/\(\d+(?:\.\d+){3}(?::\d+)?\)/g, '(…)')
    .replaceAll(/(?<=verification=)[0-9a-f]+…?/g, '…')
    .replaceAll(/\bdmarc\+[0-9a-z]+…?/g, 'dmarc+…')
    .replaceAll(/\bpr1-[0-9a-f]{6}\b/g, 'pr1-…')
    .replaceAll(/\bpr_live_\w{43}\b/g, 'pr_live_…')
    .replaceAll(/\buntrusted-[0-9a-f]{8}\b/g, 'untrusted-…')
    .replaceAll(/\bp=MII[^"\s]*(?:" "[^"]*)?/g, 'p=…');

let dns: DnsServer;
let server: TestServer;
let stopProvider: () => Promise<void>;
let model: ModelServer;
let folder: string;
let adminToken: string;

beforeAll(async () => {
  dns = await startDnsServer(['.', 'example.com']);
  server = await startTestServer({
    env: { POSTRIDER_RATE_LIMITS: 'on', POSTRIDER_DNS: dns.address, POSTRIDER_EMBEDDINGS: 'words' },
  });
  stopProvider = playProvider(server, dns);
  model = await startModelServer();
  adminToken = (await makeToken(server)).token;
  folder = await mkdtemp(join(tmpdir(), 'postrider-docs-'));
  for (const [name, path] of Object.entries(packages)) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, path), link);
  }
});
afterAll(async () => {
  await stopProvider?.();
  await server?.stop();
  await dns?.close();
  model?.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = async (
  program: string,
  { file, command: [executable = '', ...more] }: Language,
  key = server.key,
) => {
  await writeFile(join(folder, file), program);
  const child = spawn(executable, [...more, file], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      POSTRIDER_API_KEY: key,
      ADMIN_TOKEN: adminToken,
      POSTRIDER_BASE_URL: `${server.url}/v1`,
      POSTRIDER_DATA_DIR: server.dataDir,
      PYTHONPATH: join(root, 'python'),
      PYTHONDONTWRITEBYTECODE: '1',
      ...model.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise<number | null>((done) => child.once('close', done));
  const [printed, problems, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { code, printed, problems };
};

describe.each(orders)('the documentation, %s', (_, order) => {
  for (const page of order)
    for (const language of languages[page] ?? [javaScript]) {
      const missing = language === python && !hasPython ? ' (no Python 3.10 or newer is here)' : '';
      const name = `${page} runs as printed and prints what it says, in ${language.fence}${missing}`;
      it.skipIf(missing)(name, () => checkPage(page, language));
    }
});

describe('the commands of operators', () => {
  it.each(pagesForOperators)('in %s print what it says', async (page) => {
    const domain = await server.client.domains.create({ hostname: 'mail.example.com' });
    try {
      expect(await runVerbs(page)).toContain('_domainkey');
    } finally {
      await server.client.domains.delete(domain.id);
    }
  });
});

/** Runs the commands of operators on a page, and returns what they print, which has to be what the page says. */
const runVerbs = async (page: string, part?: Part): Promise<string> => runBlocks(await verbsOf(page, part));

/** Commands of a page: all, or those before or after the beginning of its program. */
type Part = 'all' | 'before' | 'after';

/** A block of commands, and what it prints. */
type VerbBlock = [code: string, printed: string];

const verbsOf = async (page: string, part: Part = 'all'): Promise<VerbBlock[]> => {
  const whole = await readFile(join(root, page), 'utf8');
  const programAt = whole.indexOf('```js');
  const source = { all: whole, before: whole.slice(0, programAt), after: whole.slice(programAt) }[part];
  const blocks = source.matchAll(
    /^```sh\n(npm run -s postrider (?:(?!^```).)*)^```\n\n```text\n(.*?)^```\n/gms,
  );
  return [...blocks].map(([, code = '', printed = '']) => [code, printed]);
};

const runBlocks = async (blocks: VerbBlock[]): Promise<string> => {
  const verbs = blocks.map(([code]) => code).join('\n');
  const closeSocket = await openAdminSocket(server.server.deps);
  try {
    const main = join(root, 'server/src/main.ts');
    const script = verbs
      .replaceAll('npm run -s postrider --', `'${process.execPath}' '${main}'`)
      .replaceAll('keys create', `keys create --workspace '${server.name}'`);
    const { code, printed, problems } = await run(`set -e\n${script}`, shell);
    expect({ code, problems }).toEqual({ code: 0, problems: '' });
    const said = blocks.map(([, text]) => text).join('');
    expect(withoutChance(printed)).toBe(withoutChance(said));
    return printed;
  } finally {
    await closeSocket();
  }
};

/** Has a guest write to the agent of the page, and returns the key that its commands make. */
const makeOwnKey = async (): Promise<string> => {
  const { inboxes, messages } = server.client;
  const agent = await inboxes.getOrCreate({ local_part: 'concierge' });
  const guest = await inboxes.getOrCreate({ local_part: 'guest' });
  await messages.send({ inbox_id: guest.id, to: agent.address, subject: 'Breakfast?', text: 'When is it?' });
  return /pr_live_\w+/.exec(await runVerbs(pageWithOwnKey))?.[0] ?? '';
};

/** Has the agent of the page send something, and pauses it. */
const runAway = async (): Promise<void> => {
  const { inboxes, messages } = server.client;
  const agent = await inboxes.getOrCreate({ local_part: 'runaway' });
  const guest = await inboxes.getOrCreate({ local_part: 'guest' });
  await messages.send({ inbox_id: agent.id, to: guest.address, subject: 'Again', text: 'Again.' });
  await runVerbs(pageWithPause, 'before');
};

/** Runs the program of the page, and meanwhile its commands about each message that the program has held. */
const decideMeanwhile = async (program: string) => {
  const { id: inboxId } = await server.client.inboxes.getOrCreate({ local_part: 'press' });
  await runVerbs(pageWithDecisions, 'before');
  const running = run(program, javaScript);
  for (const [code, printed] of await verbsOf(pageWithDecisions, 'after')) {
    const { id, hash } = await eventually('the program to send', () => heldIn(inboxId));
    await runBlocks([[code.replace(/msg_\w+/, id).replace(/(?<=--hash )\w+/, hash), printed]]);
  }
  return running;
};

/** Removes the policy of the page, which keeps the key of the other pages from creating webhooks and domains. */
const endApproval = async () => {
  const { id: subjectId } = await server.client.inboxes.getOrCreate({ local_part: 'press' });
  await setPolicy(server.server.deps, { workspaceId: server.id, level: 'inbox', subjectId }, {}, operator);
};

const heldIn = async (inboxId: string) => {
  const { db } = server.server.deps;
  const held = db.selectFrom('approvals').selectAll().where('inbox_id', '=', inboxId);
  const row = await held.where('state', '=', 'held').executeTakeFirst();
  return row && { id: row.message_id, hash: row.content_hash.toString('hex') };
};

describe('the commands of curl, once', () => {
  const missing = hasCurl ? '' : ' (curl is not here)';
  it.skipIf(missing).each(pagesWithCurl)(`in %s work as printed${missing}`, async (page) => {
    const source = await readFile(join(root, page), 'utf8');
    const blocks = [...source.matchAll(/^```sh\n(.*?)^```\n/gms)].map(([, code = '']) => code);
    const commands = blocks
      .filter((code) => code.includes('curl'))
      .join('\n')
      .replaceAll(/^export POSTRIDER_API_KEY=.*$/gm, '')
      .replaceAll('http://127.0.0.1:4400', server.url)
      .replaceAll('smtp://127.0.0.1:2525', `smtp://127.0.0.1:${server.smtpPort}`);
    expect(commands).toContain('curl');
    const script = `set -e\ncurl() { command curl -sS --fail "$@"; }\n${commands}`;
    const { code, problems } = await run(script, shell);
    expect({ code, problems }).toEqual({ code: 0, problems: '' });
  });
});

const checkPage = async (page: string, language: Language): Promise<void> => {
  const { program, output } = await exampleOf(page, language);
  expect(program, 'the page has a program').toContain(language.client);
  const key = page === pageWithOwnKey ? await makeOwnKey() : server.key;
  if (page === pageWithPause) await runAway();
  const { code, printed, problems } =
    page === pageWithDecisions ? await decideMeanwhile(program) : await run(program, language, key);
  if (page === pageWithPause) await runVerbs(page, 'after');
  if (page === pageWithDecisions) await endApproval();
  expect({ code, problems }).toEqual({ code: 0, problems: '' });
  expect(withoutChance(printed)).toBe(withoutChance(output));
};
