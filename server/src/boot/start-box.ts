import { brand } from '@postrider/contract';
import type { Config } from '../config.ts';
import type { RunningServer } from './server.ts';

/** What a person sees when the server is up: where it listens, the first key (once), and a request that works as printed. */
export const startBox = (config: Config, server: RunningServer): string => {
  const { httpUrl, smtpPort, firstKey, deps } = server;
  const lines = [
    `${brand.product} is ready.`,
    '',
    ...(httpUrl === null ? [] : [`API    ${deps.publicUrl}/v1`]),
    ...(smtpPort === null
      ? []
      : [`SMTP   ${config.smtp.host}:${smtpPort}, for addresses @${config.mailDomain}`]),
    `Data   ${config.databaseUrl ? 'Postgres' : 'embedded database'}, ${config.dataDir}`,
    `Mail   ${describeTransport(deps.transport.name)}`,
    ...(firstKey === null || httpUrl === null
      ? []
      : ['', 'Your API key, shown only this once:', `  ${firstKey}`]),
    ...embeddedNotice(config),
  ];
  if (httpUrl === null) return frame(lines);
  const baseUrl = `${deps.publicUrl}/v1`;
  return frame(lines) + exports(baseUrl, firstKey) + curl(baseUrl, firstKey);
};

const describeTransport = (name: string): string =>
  name === 'sandbox'
    ? 'sandbox: mail between inboxes here is delivered, other mail goes nowhere'
    : `out by ${name}`;

/** PGlite never calls fsync, which its owner must know before trusting it with real mail. */
const embeddedNotice = (config: Config): string[] =>
  config.databaseUrl
    ? []
    : [
        '',
        'The embedded database survives a crash of this program, not a loss of power.',
        'Set DATABASE_URL for Postgres.',
      ];

const frame = (lines: string[]): string => {
  const width = Math.max(...lines.map((line) => line.length));
  const body = lines.map((line) => `│ ${line.padEnd(width)} │`);
  return ['', `┌${'─'.repeat(width + 2)}┐`, ...body, `└${'─'.repeat(width + 2)}┘`, ''].join('\n');
};

/** What programs with the SDK read, for the shell that starts them. */
const exports = (baseUrl: string, key: string | null): string =>
  [
    '',
    'For programs with the SDK:',
    '',
    ...(key === null ? [] : [`export ${brand.env.apiKey}=${key}`]),
    `export ${brand.env.baseUrl}=${baseUrl}`,
    '',
  ].join('\n');

/** Outside the box, so that it can be copied as it stands. */
const curl = (baseUrl: string, key: string | null): string =>
  [
    '',
    'Create an inbox:',
    '',
    `curl -X POST ${baseUrl}/inboxes \\`,
    `  -H 'Authorization: Bearer ${key ?? '<API key>'}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"local_part": "agent", "display_name": "My Agent"}'`,
    '',
    '',
  ].join('\n');
