/*
 * The dashboard and the alert rules against a real Prometheus. It scrapes a server that takes mail in, sends, and posts to a webhook that
 * fails, until each expression of the dashboard has values and each metric of the rules exists. It needs the programs `prometheus` and
 * `promtool`, which Debian has in the package `prometheus`.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Postrider } from 'postrider';
import { type RunningServer, startServer } from '../../server/src/boot/server.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { createLogger } from '../../server/src/logger.ts';
import { type AcmeServer, startAcmeServer } from '../../testkit/src/acme/acme-server.ts';
import { eventually } from '../../testkit/src/lib/eventually.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../testkit/src/servers/webhook-receiver.ts';
import { closeConnections, sendMail } from '../../testkit/src/smtp/smtp-client.ts';
import { readAlertRules, rulesFolder } from '../metrics/alert-rules.ts';
import { listNames } from '../metrics/catalogue.ts';
import { makeDashboard } from '../metrics/dashboard.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';
import { run } from './run.ts';

const rulesFile = fileURLToPath(new URL('rules.yaml', rulesFolder));
const token = randomBytes(24).toString('hex');
const patience = { pauseMs: 500, withinMs: 180_000 };
const day = 86_400_000;

/** Rejects if something is not as it has to be. */
export default async function check(): Promise<void> {
  await checkRules();
  const folder = await mkdtemp(join(tmpdir(), 'postrider-metrics-'));
  const started = Promise.withResolvers<RunningServer>();
  const acme = await startAcmeServer({
    now: () => new Date(),
    lifetimeMs: 90 * day,
    ports: async () => ({ http: Number(new URL((await started.promise).httpUrl ?? '').port), https: 0 }),
  });
  const receiver = await startWebhookReceiver();
  let server: RunningServer | null = null;
  let prometheus: Prometheus | null = null;
  try {
    // The first order of a certificate fails.
    await acme.goAway();
    server = await start(folder, acme);
    started.resolve(server);
    prometheus = await startPrometheus(folder, {
      url: server.httpUrl ?? '',
      token,
      everySeconds: 1,
      rules: rulesFile,
    });
    await drive(server, receiver);
    await orderAgain(server, acme);
    await checkDashboard(prometheus);
    await checkEvaluated(prometheus);
  } finally {
    await prometheus?.stop();
    if (server) closeConnections(server.smtpPort ?? 0);
    await server?.stop(5_000);
    await receiver.close();
    await acme.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Checks the form of the rules, and when each fires. */
async function checkRules(): Promise<void> {
  const promtool = async (...args: string[]) => {
    const { output } = await run(['promtool', ...args], { cwd: fileURLToPath(rulesFolder) }).catch(
      (error) => {
        if (error.code !== 'ENOENT') throw error;
        throw new Error('`promtool` cannot be started: install `prometheus`.', { cause: error });
      },
    );
    console.log(
      `  promtool ${args.join(' ')}: ${output
        .trim()
        .split(/\s*\n\s*/)
        .slice(1)
        .join(' ')}`,
    );
  };
  await promtool('check', 'rules', 'rules.yaml');
  await promtool('test', 'rules', 'rules.test.yaml');
}

async function start(folder: string, acme: AcmeServer): Promise<RunningServer> {
  const config = readConfig({
    POSTRIDER_DATA_DIR: join(folder, 'server'),
    POSTRIDER_HTTP_PORT: '0',
    POSTRIDER_HTTPS_PORT: 'off',
    POSTRIDER_SMTP_PORT: '0',
    POSTRIDER_SMTP_HOSTNAME: 'mx.release.test',
    POSTRIDER_ACME_EMAIL: 'ops@release.test',
    POSTRIDER_ACME_DIRECTORY: acme.directory,
    POSTRIDER_METRICS_TOKEN: token,
    POSTRIDER_WEBHOOK_ALLOW_PRIVATE: 'true',
    POSTRIDER_EMBEDDINGS: 'words',
  });
  return startServer(config, await createLogger('silent'), {
    roles: ['api', 'smtp', 'worker'],
    lookAgainMs: 250,
    httpsAgent: acme.agent,
  });
}

/** Uses the server in each of the ways that the dashboard shows. */
async function drive(
  { httpUrl, smtpPort, firstKey }: RunningServer,
  receiver: WebhookReceiver,
): Promise<void> {
  const client = new Postrider({ apiKey: firstKey ?? '', baseURL: `${httpUrl}/v1` });
  const inbox = await client.inboxes.create({ local_part: 'desk' });
  receiver.next(500, 500);
  await client.webhooks.create({ url: receiver.url, events: ['message.received', 'message.delivered'] });
  const attachments = [{ filename: 'note.txt', content: 'The text of a file.' }];
  const mail = { from: 'ada@sender.example', subject: 'A plan', text: 'We meet at noon.', attachments };
  await sendMail(smtpPort ?? 0, { ...mail, to: inbox.address });
  await sendMail(smtpPort ?? 0, { ...mail, to: 'nobody@elsewhere.example' }).catch(() => {});
  const mailDomain = inbox.address.split('@')[1];
  const to = ['success', 'defer', 'bounce'].map((name) => `${name}@simulator.${mailDomain}`);
  await client.messages.send({ inbox_id: inbox.id, to, subject: 'Hello', text: 'Hello.' });
  await client.messages.search('lunch', { mode: 'semantic' });
  await receiver.waitFor(3);
}

async function orderAgain({ deps }: RunningServer, acme: AcmeServer): Promise<void> {
  const rows = async () => (await deps.database.pool.query('select * from tls_certificates')).rows;
  await eventually(
    'the first order to fail',
    async () => (await rows()).some(({ failure }) => failure),
    patience,
  );
  await acme.comeBack();
  await deps.database.pool.query('update tls_certificates set due_at = now()');
  await eventually('a certificate', async () => (await rows()).some(({ valid_to }) => valid_to), patience);
}

/** Checks that each expression of the dashboard has values. */
async function checkDashboard(prometheus: Prometheus): Promise<void> {
  const { panels } = makeDashboard() as { panels: { targets?: { expr: string }[] }[] };
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  let series = 0;
  for (const expression of expressions) {
    const concrete = expression.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*');
    const samples = await eventually(
      `values of ${concrete}`,
      async () => {
        const found = await prometheus.query(concrete);
        return found.some(({ value }) => Number.isFinite(Number(value[1]))) && found;
      },
      patience,
    );
    series += samples.length;
  }
  console.log(`  dashboard: ${expressions.length} expressions have values, ${series} series in all`);
}

/** Checks that Prometheus evaluates each rule, and has what the rules are about. */
async function checkEvaluated(prometheus: Prometheus): Promise<void> {
  const rules = readAlertRules();
  const evaluated = await eventually(
    'the rules to be evaluated',
    async () => {
      const found = await prometheus.rules();
      return found.every(({ health }) => health !== 'unknown') && found;
    },
    patience,
  );
  const failed = evaluated.filter(({ health }) => health !== 'ok');
  if (failed.length > 0 || evaluated.length !== rules.length)
    throw new Error(`Prometheus does not evaluate all rules: ${JSON.stringify(failed)}`);
  const names = listNames(rules.map(({ expr }) => expr).join('\n'));
  for (const name of names) {
    // A histogram has no series of its own name.
    const found = await prometheus.query(`count({__name__=~"${name}(_count)?"})`);
    if (found.length === 0) throw new Error(`No series of ${name}, which a rule is about.`);
  }
  console.log(
    `  rules: Prometheus evaluates ${evaluated.length}; ${names.length} metrics that they are about exist`,
  );
}
