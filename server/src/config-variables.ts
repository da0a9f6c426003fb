import { limits, PlanLimits } from '@postrider/contract';
import * as z from 'zod';
import { dnsUpdate } from './config-dns-update.ts';
import { bytes, domains, flag, json, optionalText, origins, port, text, url, urls } from './config-values.ts';

/** One setting: how it is read, what it is when absent, and the sentence that `.env.example` gives it. */
export interface Variable<T> {
  schema: z.ZodType<T, string | undefined>;
  about: string;
  /** What `.env.example` shows as its default; nothing when there is none. */
  example?: string;
  /** Never printed, and may also come from the file that `<NAME>_FILE` names. */
  secret?: true;
}

/** The mechanisms of RFC 7208 that name senders, without those that depend on the mail. */
const mechanism =
  /^(?:include:[a-z0-9._-]+|ip4:[0-9./]+|ip6:[0-9a-f:./]+|(?:a|mx)(?::[a-z0-9._-]+)?(?:\/\d{1,3})?)$/i;

function isMechanisms(text: string): boolean {
  return (
    text.length <= 400 &&
    text
      .trim()
      .split(/\s+/)
      .every((term) => mechanism.test(term))
  );
}

function variable<T>(
  schema: z.ZodType<T, string | undefined>,
  about: string,
  more: Omit<Variable<T>, 'schema' | 'about'> = {},
): Variable<T> {
  return { schema, about, ...more };
}

/** For each answer, a send may read ten messages of each conversation. */
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
    })
    .refine(
      (entry) => (entry.key === undefined) !== (entry.key_sha256 === undefined),
      'needs either key or key_sha256',
    ),
);

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** Every setting of the server, in the order of `.env.example`. */
export const variables = {
  POSTRIDER_HTTP_HOST: variable(text('127.0.0.1'), 'Address that the API listens on.', {
    example: '127.0.0.1',
  }),
  POSTRIDER_HTTP_PORT: variable(port(4400), 'Port of the API; 0 picks a free one.', { example: '4400' }),
  POSTRIDER_SMTP_HOST: variable(text('127.0.0.1'), 'Address that SMTP listens on.', { example: '127.0.0.1' }),
  POSTRIDER_SMTP_PORT: variable(
    z.union([z.literal('off').transform(() => null), port(2525)]),
    'Port of SMTP; 0 picks a free one, off opens none.',
    { example: '2525' },
  ),
  POSTRIDER_SMTP_HOSTNAME: variable(optionalText, "Name in the SMTP greeting; by default the machine's."),
  POSTRIDER_TLS_CERT: variable(
    optionalText,
    'PEM file of the certificate for STARTTLS; self-signed by default.',
  ),
  POSTRIDER_TLS_KEY: variable(optionalText, 'PEM file of its private key.'),
  POSTRIDER_PUBLIC_URL: variable(
    url(/^https?:$/, 'https://mail.example.com'),
    'Base of links; by default from host and port.',
  ),
  POSTRIDER_FILES_URL: variable(
    url(/^https?:$/, 'https://files.example.com'),
    'Base of download links, on an origin of their own.',
  ),
  POSTRIDER_TRUST_PROXY: variable(
    text('off'),
    'Proxies whose forwarded client address counts: off, loopback, or a list of addresses.',
    { example: 'off' },
  ),
  POSTRIDER_MAIL_DOMAIN: variable(
    text('postrider.test')
      .transform((value) => value.toLowerCase())
      .pipe(z.string().regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/, 'must be a domain name')),
    'The shared mail domain.',
    { example: 'postrider.test' },
  ),
  POSTRIDER_DATA_DIR: variable(text('./data'), 'Folder of the embedded database, files and keys.', {
    example: './data',
  }),
  DATABASE_URL: variable(
    url(/^postgres(ql)?:$/, 'postgres://user:password@host/database'),
    'Postgres 15 or newer; embedded when absent.',
    { secret: true },
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
    'Free disk space below which incoming mail is deferred, such as 512MB; by default 128MB, or 5 % of a disk under 2.5GB.',
  ),
  POSTRIDER_TRANSPORT: variable(
    z.enum(['sandbox', 'smtp', 'ses', 'direct'], 'must be sandbox, smtp, ses or direct').default('sandbox'),
    'How mail goes out: sandbox (stays on this server), smtp (through a relay), ses (Amazon SES) or direct (to the servers of its recipients).',
    { example: 'sandbox' },
  ),
  POSTRIDER_SMTP_RELAY: variable(
    urls(/^smtps?:$/, 'smtp://user:password@host:587'),
    'The relay of the smtp transport, or several with spaces or commas between, which are tried in order.',
    { secret: true },
  ),
  POSTRIDER_DIRECT_PORT: variable(
    port(25),
    'Port of the servers that the direct transport sends to; another one is for test networks.',
    { example: '25' },
  ),
  POSTRIDER_DIRECT_ALLOW_PRIVATE: variable(
    flag('false'),
    'Whether the direct transport may connect to private addresses.',
    { example: 'false' },
  ),
  POSTRIDER_SES_REGION: variable(
    optionalText.refine(
      (value) => value === undefined || /^[a-z]{2}(-[a-z]+)+-\d$/.test(value),
      'must be a region such as eu-west-1',
    ),
    'AWS region of Amazon SES, required by the ses transport. Credentials are found as by any AWS program.',
  ),
  POSTRIDER_SES_CONFIGURATION_SET: variable(
    optionalText.refine(
      (value) => value === undefined || /^[\w-]{1,64}$/.test(value),
      'must be the name of a configuration set',
    ),
    'Configuration set of Amazon SES that messages are sent with.',
  ),
  POSTRIDER_SES_TOPIC_ARNS: variable(
    optionalText
      .transform((value) => value?.split(',').map((arn) => arn.trim()) ?? [])
      .refine(
        (arns) => arns.every((arn) => /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/.test(arn)),
        'must be ARNs of topics such as arn:aws:sns:eu-west-1:123456789012:mail, with commas between',
      ),
    'Topics of Amazon SNS whose notifications of SES /hooks/ses takes, with commas between.',
  ),
  POSTRIDER_SES_INBOUND_BUCKET: variable(
    optionalText.refine(
      (value) => value === undefined || /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value),
      'must be the name of a bucket',
    ),
    'S3 bucket in which Amazon SES stores mail that it receives for this server.',
  ),
  POSTRIDER_SES_ENDPOINT: variable(
    url(/^https?:$/, 'https://email.example.com'),
    'SES-compatible service other than AWS; its bucket is then read from POSTRIDER_S3_ENDPOINT.',
  ),
  POSTRIDER_SPF: variable(
    optionalText.refine(
      (value) => value === undefined || isMechanisms(value),
      'must be SPF mechanisms such as "include:relay.example.net ip4:192.0.2.1", without v=spf1 and all',
    ),
    'Who sends mail for domains of this server, as SPF mechanisms; by default this server, or Amazon SES where mail goes out by it.',
  ),
  POSTRIDER_DNS: variable(
    optionalText.refine(
      (value) => value === undefined || /^[^\s:]+:\d{1,5}$/.test(value),
      'must be host:port',
    ),
    "Resolver for domain checks and SPF, DKIM and DMARC; by default the system's.",
  ),
  POSTRIDER_DNS_UPDATE: variable(
    dnsUpdate,
    'Where DNS records are written: rfc2136://keyname:base64secret@host:port (?zone=example.org after it if that is not the mail domain) or route53://HOSTEDZONEID; when absent, they are shown to be set by hand.',
    { secret: true },
  ),
  POSTRIDER_TRUSTED_FORWARDERS: variable(
    domains,
    'Domains of forwarders whose ARC seals vouch for authors, such as google.com, with commas between; by default none.',
  ),
  POSTRIDER_DMARC_REJECT: variable(
    z
      .enum(['on', 'off'], 'must be on or off')
      .default('off')
      .transform((value) => value === 'on'),
    'Whether incoming mail that fails DMARC is refused if the policy of its author is reject; off keeps and marks it.',
    { example: 'off' },
  ),
  POSTRIDER_SECRET: variable(
    optionalText.refine(
      (value) => value === undefined || value.length >= 32,
      'must have at least 32 characters',
    ),
    'Root of all derived keys; made and kept in the data folder, required with DATABASE_URL.',
    { secret: true },
  ),
  POSTRIDER_METRICS_TOKEN: variable(
    optionalText,
    'Bearer token of /metrics; without one only loopback may read it, and nobody behind a proxy.',
    { secret: true },
  ),
  POSTRIDER_WEBHOOK_ALLOW_PRIVATE: variable(
    flag('false'),
    'Whether webhooks may be http: and reach private addresses; with the sandbox and the API on loopback, those of this machine always may.',
    {
      example: 'false',
    },
  ),
  POSTRIDER_CORS_ORIGINS: variable(
    origins,
    'Origins whose pages may call the API from a browser with a key, with commas between; by default none.',
  ),
  POSTRIDER_RATE_LIMITS: variable(
    z
      .enum(['on', 'off'], 'must be on or off')
      .default('on')
      .transform((value) => value === 'on'),
    'Whether requests and large mail are limited: those of a workspace by its plan, requests with unknown keys by client.',
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
    'How many answers an inbox sends within 10 minutes to one address, and in one thread for each correspondent in it, before it is taken for a machine that answers a machine; off counts none.',
    { example: String(limits.loopAnswersMax) },
  ),
  POSTRIDER_PLANS: variable(
    json(planFigures, {}),
    'JSON that overrides plan figures, for example {"free": {"inboxes": 3}}.',
  ),
  POSTRIDER_BOOTSTRAP: variable(
    json(bootstrap, null as z.infer<typeof bootstrap> | null),
    'JSON list of workspaces and keys that must exist: [{"name", "plan", "key" or "key_sha256", "test"}].',
    { secret: true },
  ),
  POSTRIDER_LOG: variable(
    z
      .string()
      .default('info')
      .transform((level) => (level.toLowerCase() === 'off' ? 'silent' : level.toLowerCase()))
      .pipe(z.enum(logLevels, 'must be one of off, fatal, error, warn, info, debug, trace')),
    'How much is logged: `off`, `fatal`, `error`, `warn`, `info`, `debug` or `trace`. The SDK takes the same names.',
    { example: 'info' },
  ),
  POSTRIDER_TIME_SCALE: variable(
    z
      .string()
      .default('1')
      .transform(Number)
      .refine((scale) => scale >= 1 && scale <= timeScaleMax, `must be a number from 1 to ${timeScaleMax}`),
    'Tests only: how much faster every wait runs.',
    { example: '1' },
  ),
};
