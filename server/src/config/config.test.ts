import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plans } from '@postrider/contract';
import { listProblems } from '@postrider/testkit/lib/config-problems.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { variables } from './variables.ts';

const secret = 'f'.repeat(64);
const key = `pr_live_${'k'.repeat(43)}`;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-config-'));
});

afterEach(() => rm(folder, { recursive: true }));

describe('settings', () => {
  test('have the documented defaults', () => {
    expect(readConfig({})).toMatchObject({
      http: { host: '127.0.0.1', port: 4400 },
      smtp: { host: '127.0.0.1', port: 2525 },
      tls: { httpsPort: null, files: null, acme: null, isHttpsOnly: false },
      publicUrl: null,
      trustProxy: 'off',
      mailDomain: 'postrider.test',
      dataDir: join(process.cwd(), 'data'),
      databaseUrl: null,
      files: `file:${join(process.cwd(), 'data', 'files')}`,
      transport: 'sandbox',
      smtpRelays: [],
      trustedForwarders: [],
      dmarcReject: false,
      secret: null,
      bootstrap: null,
      plans,
      rateLimits: true,
      loopAnswersMax: 20,
      logLevel: 'info',
      timeScale: 1,
      unknownVariables: [],
    });
  });

  test('of answers are a whole number up to 100, or off', () => {
    const ofText = (text: string) => readConfig({ POSTRIDER_LOOP_ANSWERS: text }).loopAnswersMax;
    expect([ofText('1'), ofText('100'), ofText('off')]).toEqual([1, 100, null]);
    for (const text of ['0', '101', '-1', '1.5', 'none'])
      expect(listProblems({ POSTRIDER_LOOP_ANSWERS: text })).toEqual([
        'POSTRIDER_LOOP_ANSWERS must be a whole number from 1 to 100, or off.',
      ]);
  });

  test('that are empty count as absent', () => {
    const empty = Object.fromEntries(
      Object.keys(variables).flatMap((name) => [
        [name, ''],
        [`${name}_FILE`, ''],
      ]),
    );
    const { unknownVariables: _, ...settings } = readConfig(empty);
    const { unknownVariables: _none, ...defaults } = readConfig({});
    expect(settings).toEqual(defaults);
  });

  test('are read as what they are', () => {
    const config = readConfig({
      POSTRIDER_HTTP_PORT: '0',
      POSTRIDER_SMTP_PORT: 'off',
      POSTRIDER_MAIL_DOMAIN: 'Mail.Example',
      POSTRIDER_DATA_DIR: folder,
      POSTRIDER_PLANS: '{"free": {"inboxes": 3}}',
      POSTRIDER_BOOTSTRAP: JSON.stringify([
        { name: 'a', key },
        { name: 'b', plan: 'free', key_sha256: 'a'.repeat(64), test: true },
      ]),
      POSTRIDER_TIME_SCALE: '60',
    });
    expect(config).toMatchObject({
      http: { port: 0 },
      smtp: { port: null },
      mailDomain: 'mail.example',
      files: `file:${join(folder, 'files')}`,
      plans: { ...plans, free: { ...plans.free, inboxes: 3 } },
      bootstrap: [
        { name: 'a', plan: 'business', key, test: false },
        { name: 'b', plan: 'free', key_sha256: 'a'.repeat(64), test: true },
      ],
      timeScale: 60,
    });
  });
});

describe('the log level', () => {
  test.each([
    ['off', 'silent'],
    ['silent', 'silent'],
    ['WARN', 'warn'],
    ['trace', 'trace'],
  ])('%s is taken as the SDK takes it', (POSTRIDER_LOG, logLevel) => {
    expect(readConfig({ POSTRIDER_LOG })).toMatchObject({ logLevel });
  });

  test('that is none is told with those that there are', () => {
    expect(listProblems({ POSTRIDER_LOG: 'loud' })).toEqual([
      'POSTRIDER_LOG must be one of off, fatal, error, warn, info, debug, trace.',
    ]);
  });
});

describe('wrong settings', () => {
  test('are all told at once, each by its name', () => {
    const problems = listProblems({
      POSTRIDER_HTTP_PORT: '99999',
      POSTRIDER_SMTP_PORT: 'no',
      POSTRIDER_PUBLIC_URL: 'ftp://x',
      POSTRIDER_MAIL_DOMAIN: 'not a domain',
      POSTRIDER_TRANSPORT: 'pigeon',
      POSTRIDER_LOG: 'loud',
      POSTRIDER_TIME_SCALE: '0',
      POSTRIDER_TLS_CERT: '/cert.pem',
    });
    const named = problems.map((problem) => /^[A-Z_]+/.exec(problem)?.[0]);
    expect(named.toSorted()).toEqual([
      'POSTRIDER_HTTP_PORT',
      'POSTRIDER_LOG',
      'POSTRIDER_MAIL_DOMAIN',
      'POSTRIDER_PUBLIC_URL',
      'POSTRIDER_SMTP_PORT',
      'POSTRIDER_TIME_SCALE',
      'POSTRIDER_TLS_CERT',
      'POSTRIDER_TRANSPORT',
    ]);
  });

  test('are told in words that say what to write', () => {
    expect(listProblems({ POSTRIDER_LOG: 'loud' })).toEqual([
      'POSTRIDER_LOG must be one of off, fatal, error, warn, info, debug, trace.',
    ]);
    expect(listProblems({ POSTRIDER_TIME_SCALE: 'fast' })).toEqual([
      'POSTRIDER_TIME_SCALE must be a number from 1 to 100000.',
    ]);
    expect(
      listProblems({ POSTRIDER_PLANS: '{"free": {"inboxes": "three", "boxes": 1}, "gold": {}}' }),
    ).toEqual([
      'POSTRIDER_PLANS at free.inboxes: must be of type number, not string.',
      'POSTRIDER_PLANS at free.boxes: is not a known field.',
      'POSTRIDER_PLANS at gold: is not a known field.',
    ]);
    expect(listProblems({ POSTRIDER_BOOTSTRAP: '[{"plan": "gold"}]' })).toEqual([
      'POSTRIDER_BOOTSTRAP at 0.name: is required.',
      'POSTRIDER_BOOTSTRAP at 0.plan: must be one of free, pro, scale, business.',
    ]);
  });

  test('of trusted forwarders are domains in their one spelling, and nothing else', () => {
    const read = (text: string) => readConfig({ POSTRIDER_TRUSTED_FORWARDERS: text }).trustedForwarders;
    expect(read('Google.com, lists.münchen.example.,')).toEqual([
      'google.com',
      'lists.xn--mnchen-3ya.example',
    ]);
    for (const wrong of ['*', 'https://google.com', 'a@google.com', 'google.com other.example', '192.0.2.1'])
      expect(listProblems({ POSTRIDER_TRUSTED_FORWARDERS: wrong })).toEqual([
        'POSTRIDER_TRUSTED_FORWARDERS must be domains such as lists.example.com, separated by commas.',
      ]);
  });

  test('of DMARC are on or off', () => {
    expect(readConfig({ POSTRIDER_DMARC_REJECT: 'on' }).dmarcReject).toBe(true);
    expect(listProblems({ POSTRIDER_DMARC_REJECT: 'yes' })).toEqual([
      'POSTRIDER_DMARC_REJECT must be on or off.',
    ]);
  });

  test('of CORS are origins, and nothing that is more or less than one', () => {
    const read = (text: string) => readConfig({ POSTRIDER_CORS_ORIGINS: text }).corsOrigins;
    expect(read('')).toEqual([]);
    expect(read('https://app.example.com, http://localhost:5173/,')).toEqual([
      'https://app.example.com',
      'http://localhost:5173',
    ]);
    expect(read('https://App.Example.com')).toEqual(['https://app.example.com']);
    for (const wrong of ['*', 'null', 'app.example.com', 'https://app.example.com/x', 'ftp://x.example'])
      expect(listProblems({ POSTRIDER_CORS_ORIGINS: wrong })).toHaveLength(1);
  });

  const wrongSecrets: Record<string, string>[] = [
    { DATABASE_URL: 'mysql://user:hunter2@host/db' },
    { DATABASE_URL: 'hunter2' },
    { POSTRIDER_SECRET: 'hunter2' },
    { POSTRIDER_SMTP_RELAY: 'http://user:hunter2@host' },
    { POSTRIDER_BOOTSTRAP: 'hunter2' },
    { POSTRIDER_BOOTSTRAP: '[{"name": "a", "key": "hunter2"}]' },
    { POSTRIDER_BOOTSTRAP: '[{"name": "a", "key_sha256": "hunter2"}]' },
    { POSTRIDER_BOOTSTRAP: `[{"name": "a", "plan": "hunter2", "key": "${key}"}]` },
    { POSTRIDER_BOOTSTRAP: `[{"name": "a", "key": "${key}", "key_sha256": "${'a'.repeat(64)}"}]` },
    { POSTRIDER_BOOTSTRAP: '[{"name": "a"}]' },
    { POSTRIDER_BOOTSTRAP: `{"key": "${key}"}` },
  ];

  test.each(wrongSecrets)('never print a secret: %j', (environment) => {
    const problems = listProblems(environment);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join('\n')).not.toMatch(/hunter2|kkkk|aaaa/);
  });

  test('are those that need each other and lack it', () => {
    expect(listProblems({ DATABASE_URL: 'postgres://localhost/x' })).toEqual([
      expect.stringContaining('POSTRIDER_SECRET is required with DATABASE_URL'),
    ]);
    expect(listProblems({ POSTRIDER_TRANSPORT: 'smtp' })).toEqual([
      expect.stringContaining('POSTRIDER_SMTP_RELAY is required'),
    ]);
    expect(listProblems({ POSTRIDER_TLS_KEY: '/key.pem' })).toEqual([expect.stringContaining('go together')]);
    expect(listProblems({ POSTRIDER_HTTPS_PORT: '443' })).toEqual([
      'POSTRIDER_HTTPS_PORT needs a certificate: set POSTRIDER_TLS_CERT and POSTRIDER_TLS_KEY, or POSTRIDER_ACME_EMAIL.',
    ]);
    expect(listProblems({ POSTRIDER_HTTPS_PORT: 'on' })).toHaveLength(1);
    expect(readConfig({ POSTRIDER_HTTPS_PORT: 'off' }).tls.httpsPort).toBeNull();
  });

  test('of relays are one URL or several, with spaces or commas between', () => {
    const [one, two] = ['smtp://a:p%2Cq@one.example:587', 'smtps://two.example'];
    const read = (value: string) => readConfig({ POSTRIDER_SMTP_RELAY: value }).smtpRelays;
    expect(read(one!)).toEqual([one]);
    for (const between of [' ', ',', ', ', '\n']) expect(read(`${one}${between}${two}`)).toEqual([one, two]);
    expect(listProblems({ POSTRIDER_SMTP_RELAY: `${one},http://two.example` })).toHaveLength(1);
    expect(listProblems({ POSTRIDER_TRANSPORT: 'smtp', POSTRIDER_SMTP_RELAY: ' , ' })).toHaveLength(1);
  });

  test('of direct mail are the port of other servers, and whether they may be private', () => {
    expect(readConfig({ POSTRIDER_TRANSPORT: 'direct' })).toMatchObject({
      transport: 'direct',
      direct: { port: 25, allowPrivate: false },
    });
    const environment = { POSTRIDER_DIRECT_PORT: '2600', POSTRIDER_DIRECT_ALLOW_PRIVATE: 'true' };
    expect(readConfig(environment).direct).toEqual({ port: 2600, allowPrivate: true });
  });

  test('of Amazon SES are topics of its region', () => {
    const arn = (region: string) => `arn:aws:sns:${region}:123456789012:mail`;
    const region = { POSTRIDER_SES_REGION: 'eu-west-1' };
    const topics = `${arn('eu-west-1')}, ${arn('eu-west-1')}-2`;
    expect(readConfig({ ...region, POSTRIDER_SES_TOPIC_ARNS: topics }).ses).toEqual({
      region: 'eu-west-1',
      endpoint: null,
      configurationSet: null,
      topicArns: topics.split(', '),
      inboundBucket: null,
    });
    expect(readConfig({}).ses).toBeNull();
    for (const wrong of [
      { POSTRIDER_SES_TOPIC_ARNS: topics },
      { ...region, POSTRIDER_SES_TOPIC_ARNS: arn('us-east-1') },
      { ...region, POSTRIDER_SES_TOPIC_ARNS: `${topics},` },
      { ...region, POSTRIDER_SES_TOPIC_ARNS: 'mail' },
      { POSTRIDER_SES_REGION: 'Ireland' },
      { POSTRIDER_TRANSPORT: 'ses' },
      { ...region, POSTRIDER_SES_INBOUND_BUCKET: 'mail' },
      { ...region, POSTRIDER_SES_CONFIGURATION_SET: 'a b' },
    ])
      expect(listProblems(wrong)).toHaveLength(1);
  });
});

describe('secrets in files', () => {
  test('are read and trimmed, for every secret', async () => {
    const file = join(folder, 'secret');
    await writeFile(file, `${secret}\n`);
    expect(readConfig({ POSTRIDER_SECRET_FILE: file }).secret).toBe(secret);
    const url = join(folder, 'url');
    await writeFile(url, 'postgres://user:hunter2@host/db\n');
    expect(readConfig({ POSTRIDER_SECRET_FILE: file, DATABASE_URL_FILE: url }).databaseUrl).toBe(
      'postgres://user:hunter2@host/db',
    );
  });

  test('may not stand beside the variable itself, nor be missing', async () => {
    const file = join(folder, 'secret');
    await writeFile(file, secret);
    expect(listProblems({ POSTRIDER_SECRET_FILE: file, POSTRIDER_SECRET: secret })).toEqual([
      'POSTRIDER_SECRET and POSTRIDER_SECRET_FILE are both set: keep one.',
    ]);
    const missing = join(folder, 'missing');
    expect(listProblems({ POSTRIDER_SECRET_FILE: missing })).toEqual([
      `POSTRIDER_SECRET_FILE names a file that cannot be read: ${missing}.`,
    ]);
  });

  test('exist for secrets only', () => {
    const unknown = ['POSTRIDER_LOG_FILE', 'POSTRIDER_HTTP_PORT_FILE'];
    expect(readConfig(Object.fromEntries(unknown.map((name) => [name, '/x']))).unknownVariables).toEqual(
      unknown.toSorted(),
    );
    const secrets = Object.entries(variables).filter(([, variable]) => 'secret' in variable);
    expect(secrets.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'DATABASE_URL',
        'POSTRIDER_SECRET',
        'POSTRIDER_SMTP_RELAY',
        'POSTRIDER_BOOTSTRAP',
      ]),
    );
  });
});

test('variables with our prefix that are no settings are named, those of the SDK and of tests are not', () => {
  const { unknownVariables } = readConfig({
    POSTRIDER_HTPP_PORT: '1',
    POSTRIDER_constructor: '1',
    POSTRIDER_API_KEY: key,
    POSTRIDER_BASE_URL: 'http://x',
    POSTRIDER_TEST_POSTGRES: '15',
    PATH: '/bin',
  });
  expect(unknownVariables).toEqual(['POSTRIDER_HTPP_PORT', 'POSTRIDER_constructor']);
});
