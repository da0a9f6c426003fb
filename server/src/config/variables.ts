import { limits, PlanLimits, PolicyIn } from '@postrider/contract';
import { consoleLimits } from '@postrider/contract/console';
import * as z from 'zod';
import { defaultDataDir } from '../lib/start/running-server.mjs';
import { embeddingVariables } from './embedding.ts';
import { mailVariables } from './mail-variables.ts';
import { tlsVariables } from './tls.ts';
import {
  bytes,
  consoleAdmin,
  flag,
  json,
  optionalText,
  origins,
  port,
  text,
  url,
  variable,
} from './values.ts';

/** For each reply, a send may read ten messages of each conversation. */
const loopAnswersMax = 100;

/** `silent` is the word of the logger for `off`, which the SDK has too. */
const timeScaleMax = 100_000;

const planNames = z.enum(['free', 'pro', 'scale', 'business']);
const planFigures = z.partialRecord(planNames, PlanLimits.partial().strict());
const bootstrap = z.array(
  z
    .strictObject({
      name: z.string().min(1).max(100),
      plan: planNames.default('business'),
      key: z
        .string()
        .regex(/^pr_(live|test)_[0-9A-Za-z]{43}$/, 'must be an API key')
        .optional(),
      key_sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits')
        .optional(),
      test: z.boolean().default(false),
      policy: PolicyIn.optional(),
      inbox_ids: z
        .array(z.string().min(1).max(320))
        .max(consoleLimits.inboxesPerKeyMax)
        .nullable()
        .optional(),
      read_only: z.boolean().optional(),
      expires_at: z.iso.datetime({ offset: true }).nullable().optional(),
    })
    .refine(
      (entry) => (entry.key === undefined) !== (entry.key_sha256 === undefined),
      'needs either key or key_sha256',
    ),
);

const onOff = z
  .enum(['on', 'off'], 'must be on or off')
  .default('on')
  .transform((value) => value === 'on');

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** Every setting of the server, in the order of `.env.example`. */
export const variables = {
  POSTRIDER_HTTP_HOST: variable(text('127.0.0.1'), 'Address that the API listens on.', {
    example: '127.0.0.1',
  }),
  POSTRIDER_HTTP_PORT: variable(
    z.union([z.undefined(), port(4400)]),
    'Port of the API; 0 picks a free port. With POSTRIDER_ACME_EMAIL and without a proxy, it is 80 by default and redirects to HTTPS.',
    { example: '4400' },
  ),
  POSTRIDER_SMTP_HOST: variable(text('127.0.0.1'), 'Address that SMTP listens on.', { example: '127.0.0.1' }),
  POSTRIDER_SMTP_PORT: variable(
    z.union([z.literal('off').transform(() => null), port(2525)]),
    'Port of SMTP; 0 picks a free port, off opens none.',
    { example: '2525' },
  ),
  POSTRIDER_SMTP_HOSTNAME: variable(optionalText, "Name in the SMTP greeting; by default, the machine's."),
  ...tlsVariables,
  POSTRIDER_PUBLIC_URL: variable(
    url(/^https?:$/, 'https://mail.example.com'),
    'Base URL of links; by default, made from host and port.',
  ),
  POSTRIDER_FILES_URL: variable(
    url(/^https?:$/, 'https://files.example.com'),
    'Base URL of download links, if they should have their own origin.',
  ),
  POSTRIDER_TRUST_PROXY: variable(
    text('off'),
    'Proxies whose forwarded client address is trusted: off, loopback, or a list of addresses.',
    { example: 'off' },
  ),
  POSTRIDER_MAIL_DOMAIN: variable(
    text('postrider.test')
      .transform((value) => value.toLowerCase())
      .pipe(z.string().regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/, 'must be a domain name')),
    'Shared mail domain.',
    { example: 'postrider.test' },
  ),
  POSTRIDER_DATA_DIR: variable(text(defaultDataDir), 'Folder of the database, files and keys.', {
    example: defaultDataDir,
  }),
  DATABASE_URL: variable(
    url(/^postgres(ql)?:$/, 'postgres://user:password@host/database'),
    'Postgres 15 or newer; by default, the server runs its own in the data folder.',
    { secret: true },
  ),
  POSTRIDER_POSTGRES_BIN: variable(
    optionalText,
    'Folder with the programs of another Postgres 18, for the Postgres that the server runs.',
  ),
  POSTRIDER_FILES: variable(
    optionalText.refine(
      (value) => value === undefined || /^(file:|s3:\/\/[^/]+)/.test(value),
      'must start with file: or s3://bucket',
    ),
    'Where mail and attachments are kept: file:/path or s3://bucket/prefix.',
  ),
  POSTRIDER_S3_ENDPOINT: variable(
    url(/^https?:$/, 'https://s3.example.com'),
    'S3-compatible store other than AWS.',
  ),
  POSTRIDER_DISK_RESERVE: variable(
    bytes,
    'Free disk space below which incoming mail is deferred, such as 512MB; by default, 128MB, or 5 % of a disk under 2.5GB.',
  ),
  ...mailVariables,
  ...embeddingVariables,
  POSTRIDER_SECRET: variable(
    optionalText.refine(
      (value) => value === undefined || value.length >= 32,
      'must have at least 32 characters',
    ),
    'Root secret of all derived keys; by default, created and kept in the data folder. Required with DATABASE_URL.',
    { secret: true },
  ),
  POSTRIDER_METRICS_TOKEN: variable(
    optionalText,
    'Bearer token of /metrics; without one, only loopback can read it, and nobody behind a proxy.',
    { secret: true },
  ),
  POSTRIDER_WEBHOOK_ALLOW_PRIVATE: variable(
    flag('false'),
    'Whether webhooks can use http: and private addresses; with the sandbox and the API on loopback, they can always use this machine.',
    {
      example: 'false',
    },
  ),
  POSTRIDER_CORS_ORIGINS: variable(
    origins,
    'Origins whose pages can call the API from a browser with a key, separated by commas; by default, none.',
  ),
  POSTRIDER_MANAGEMENT: variable(
    onOff,
    'Whether programs of the people in control may call /manage/v1 with admin tokens.',
    { example: 'on' },
  ),
  POSTRIDER_RATE_LIMITS: variable(
    onOff,
    'Whether requests and large mail are rate limited; the plan of a workspace sets its rate. Guesses of passwords, codes, links and keys are always limited.',
    { example: 'on' },
  ),
  POSTRIDER_LOOP_ANSWERS: variable(
    z
      .string()
      .default(String(limits.loopAnswersMax))
      .transform((text) => (text === 'off' ? null : Number(text)))
      .refine(
        (count) => count === null || (Number.isInteger(count) && count >= 1 && count <= loopAnswersMax),
        `must be a whole number from 1 to ${loopAnswersMax}, or off`,
      ),
    'Maximum number of replies of an inbox within 10 minutes to one address, and in one thread for each correspondent in it; more are refused as a loop between two machines. off sets no limit.',
    { example: String(limits.loopAnswersMax) },
  ),
  POSTRIDER_PLANS: variable(
    json(planFigures, {}),
    'JSON that overrides plan figures, for example {"free": {"inboxes": 3}}.',
  ),
  POSTRIDER_BOOTSTRAP: variable(
    json(bootstrap, null as z.infer<typeof bootstrap> | null),
    'JSON list of workspaces and keys that must exist: [{"name", "plan", "key" or "key_sha256", "test"}]. A key can be limited by "inbox_ids" (ids or addresses), "read_only", "policy" and "expires_at".',
    { secret: true },
  ),
  POSTRIDER_CONSOLE_ADMIN: variable(
    consoleAdmin,
    'First user of the console, as email:password; by default, created and printed at the first start.',
    { secret: true },
  ),
  POSTRIDER_LOG: variable(
    z
      .string()
      .default('info')
      .transform((level) => (level.toLowerCase() === 'off' ? 'silent' : level.toLowerCase()))
      .pipe(z.enum(logLevels, 'must be one of off, fatal, error, warn, info, debug, trace')),
    'Log level: `off`, `fatal`, `error`, `warn`, `info`, `debug` or `trace`. The SDK uses the same names.',
    { example: 'info' },
  ),
  POSTRIDER_TRACE_CALLERS: variable(
    flag('false'),
    'Whether a request continues the trace of its caller, who then decides whether it is kept. Otherwise, it begins one that is linked to it.',
    { example: 'false' },
  ),
  POSTRIDER_TIME_SCALE: variable(
    z
      .string()
      .default('1')
      .transform(Number)
      .refine((scale) => scale >= 1 && scale <= timeScaleMax, `must be a number from 1 to ${timeScaleMax}`),
    'For tests only: the factor by which every wait is shortened.',
    { example: '1' },
  ),
};
