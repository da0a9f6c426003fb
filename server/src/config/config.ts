import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { type Plan, type PlanLimits, plans } from '@postrider/contract';
import type * as z from 'zod';
import type { DnsUpdate } from './dns-update.ts';
import { findEmbeddingProblems, readEmbeddings } from './embedding.ts';
import { findTlsProblems, readHttpPort, readTls } from './tls.ts';
import { readTracing } from './tracing.ts';
import type { Variable } from './values.ts';
import { variables } from './variables.ts';

type Values = { [Name in keyof typeof variables]: z.output<(typeof variables)[Name]['schema']> };

/** Thrown when settings are wrong: one line for each problem, and no secret's value in any. */
export class ConfigError extends Error {
  override name = 'ConfigError' as const;
  readonly problems: string[];
  constructor(problems: string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

/** Every setting of the server, checked. */
export type Config = ReturnType<typeof readConfig>;

/**
 * Reads the settings from the environment, after `.env` where there is one, and checks them all at once.
 *
 * @throws ConfigError that lists every problem.
 */
export function readConfig(environment: NodeJS.ProcessEnv = withDotEnv()) {
  const problems: string[] = [];
  const values = readValues(environment, problems);
  checkTogether(values, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  const dataDir = resolve(values.POSTRIDER_DATA_DIR);
  return {
    http: { host: values.POSTRIDER_HTTP_HOST, port: readHttpPort(values) },
    smtp: {
      host: values.POSTRIDER_SMTP_HOST,
      port: values.POSTRIDER_SMTP_PORT,
      hostname: values.POSTRIDER_SMTP_HOSTNAME ?? hostname(),
    },
    tls: readTls(values),
    publicUrl: values.POSTRIDER_PUBLIC_URL ?? null,
    filesUrl: values.POSTRIDER_FILES_URL ?? null,
    trustProxy: values.POSTRIDER_TRUST_PROXY,
    mailDomain: values.POSTRIDER_MAIL_DOMAIN,
    dataDir,
    databaseUrl: values.DATABASE_URL ?? null,
    postgresBin: values.POSTRIDER_POSTGRES_BIN ?? null,
    files: values.POSTRIDER_FILES ?? `file:${join(dataDir, 'files')}`,
    diskReserveBytes: values.POSTRIDER_DISK_RESERVE,
    s3Endpoint: values.POSTRIDER_S3_ENDPOINT ?? null,
    transport: values.POSTRIDER_TRANSPORT,
    smtpRelays: values.POSTRIDER_SMTP_RELAY,
    direct: { port: values.POSTRIDER_DIRECT_PORT, allowPrivate: values.POSTRIDER_DIRECT_ALLOW_PRIVATE },
    ses: readSes(values),
    spf: readSpf(values),
    dnsServer: values.POSTRIDER_DNS ?? null,
    dnsUpdate: readDnsUpdate(values),
    trustedForwarders: values.POSTRIDER_TRUSTED_FORWARDERS,
    dmarcReject: values.POSTRIDER_DMARC_REJECT,
    secret: values.POSTRIDER_SECRET ?? null,
    metricsToken: values.POSTRIDER_METRICS_TOKEN ?? null,
    webhookAllowPrivate: values.POSTRIDER_WEBHOOK_ALLOW_PRIVATE,
    corsOrigins: values.POSTRIDER_CORS_ORIGINS,
    plans: withOverrides(values.POSTRIDER_PLANS),
    rateLimits: values.POSTRIDER_RATE_LIMITS,
    management: values.POSTRIDER_MANAGEMENT,
    loopAnswersMax: values.POSTRIDER_LOOP_ANSWERS,
    bootstrap: values.POSTRIDER_BOOTSTRAP,
    consoleAdmin: values.POSTRIDER_CONSOLE_ADMIN,
    embeddings: readEmbeddings(values),
    logLevel: values.POSTRIDER_LOG,
    tracing: readTracing(environment),
    traceCallers: values.POSTRIDER_TRACE_CALLERS,
    timeScale: values.POSTRIDER_TIME_SCALE,
    unknownVariables: Object.keys(environment).filter(isUnknown).sort(),
  };
}

/** Returns the limits of each plan: the figures of the contract, and over them those that are configured. */
function withOverrides(figures: Values['POSTRIDER_PLANS']): Record<Plan, PlanLimits> {
  return Object.fromEntries(
    Object.entries(plans).map(([plan, allowed]) => {
      const configured = Object.entries({
        ...followingMail(figures[plan as Plan]),
        ...figures[plan as Plan],
      }).filter(([, figure]) => figure !== undefined);
      return [plan, { ...allowed, ...Object.fromEntries(configured) }];
    }),
  ) as Record<Plan, PlanLimits>;
}

/** Room for mail is twice that for attachments, unless it is configured itself. */
function followingMail({ storage_bytes }: { storage_bytes?: number | undefined } = {}): Partial<PlanLimits> {
  return storage_bytes === undefined ? {} : { mail_bytes: 2 * storage_bytes };
}

/** How to reach Amazon SES, what it sends with, and where it reports and stores mail; null without a region. */
function readSes(values: Values) {
  const { POSTRIDER_SES_REGION: region, POSTRIDER_SES_ENDPOINT: endpoint } = values;
  if (!region) return null;
  return {
    region,
    endpoint: endpoint ?? null,
    configurationSet: values.POSTRIDER_SES_CONFIGURATION_SET ?? null,
    topicArns: values.POSTRIDER_SES_TOPIC_ARNS,
    inboundBucket: values.POSTRIDER_SES_INBOUND_BUCKET ?? null,
  };
}

/** The SPF mechanisms that name the senders of this server's mail. */
function readSpf(values: Values): string {
  const { POSTRIDER_SPF: configured, POSTRIDER_SMTP_HOSTNAME: name = hostname() } = values;
  if (configured) return configured.trim().toLowerCase().replace(/\s+/g, ' ');
  return values.POSTRIDER_TRANSPORT === 'ses' ? 'include:amazonses.com' : `a:${name.toLowerCase()}`;
}

/** An update is for the mail domain unless it names another zone. */
function readDnsUpdate({
  POSTRIDER_DNS_UPDATE: update,
  POSTRIDER_MAIL_DOMAIN: mailDomain,
}: Values): DnsUpdate | null {
  return update?.kind === 'rfc2136' ? { ...update, zone: update.zone ?? mailDomain } : update;
}

/** The environment over what `.env` in the working folder says. */
function withDotEnv(): NodeJS.ProcessEnv {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return process.env;
}

function readValues(environment: NodeJS.ProcessEnv, problems: string[]): Values {
  return Object.fromEntries(
    Object.entries(variables as Record<string, Variable<unknown>>).map(([name, variable]) => {
      const result = variable.schema.safeParse(readText(environment, name, variable, problems));
      if (!result.success)
        for (const issue of result.error.issues) problems.push(`${name} ${issue.message}.`);
      return [name, result.data];
    }),
  ) as Values;
}

/** An empty variable counts as absent, because compose files and shells leave empty ones. */
function readText(
  environment: NodeJS.ProcessEnv,
  name: string,
  variable: Variable<unknown>,
  problems: string[],
): string | undefined {
  const file = variable.secret ? environment[`${name}_FILE`] : undefined;
  if (!file) return environment[name] || undefined;
  if (environment[name]) problems.push(`${name} and ${name}_FILE are both set: keep one.`);
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    problems.push(`${name}_FILE names a file that cannot be read: ${file}.`);
    return undefined;
  }
}

/** Rules that hold between settings. */
function checkTogether(values: Values, problems: string[]): void {
  if (values.DATABASE_URL && !values.POSTRIDER_SECRET) {
    problems.push('POSTRIDER_SECRET is required with DATABASE_URL: create one with `openssl rand -hex 32`.');
  }
  if (values.POSTRIDER_TRANSPORT === 'smtp' && values.POSTRIDER_SMTP_RELAY?.length === 0) {
    problems.push('POSTRIDER_SMTP_RELAY is required when POSTRIDER_TRANSPORT is smtp.');
  }
  const region = values.POSTRIDER_SES_REGION;
  if (values.POSTRIDER_TRANSPORT === 'ses' && !region) {
    problems.push('POSTRIDER_SES_REGION is required when POSTRIDER_TRANSPORT is ses.');
  }
  if (values.POSTRIDER_SES_INBOUND_BUCKET && values.POSTRIDER_SES_TOPIC_ARNS?.length === 0) {
    problems.push(
      'POSTRIDER_SES_INBOUND_BUCKET needs POSTRIDER_SES_TOPIC_ARNS: name the topic that SES notifies of new mail.',
    );
  }
  // A value that could not be read is not a list.
  if (values.POSTRIDER_SES_TOPIC_ARNS?.some((arn) => arn.split(':')[3] !== region)) {
    problems.push('POSTRIDER_SES_TOPIC_ARNS must be topics of the region in POSTRIDER_SES_REGION.');
  }
  problems.push(...findEmbeddingProblems(values, problems));
  problems.push(...findTlsProblems(values));
}

/** Variables that agents' programs set for the SDK share our prefix. */
const sdkVariables = ['POSTRIDER_API_KEY', 'POSTRIDER_BASE_URL', 'POSTRIDER_WEBHOOK_SECRET'];

function isUnknown(name: string): boolean {
  return (
    name.startsWith('POSTRIDER_') &&
    !(name in variables) &&
    !isFileVariant(name) &&
    !sdkVariables.includes(name) &&
    !name.startsWith('POSTRIDER_TEST_')
  );
}

function isFileVariant(name: string): boolean {
  return (
    name.endsWith('_FILE') &&
    (variables as Record<string, Variable<unknown>>)[name.slice(0, -'_FILE'.length)]?.secret === true
  );
}
