import { brand } from '@postrider/contract';
import { consolePath } from '@postrider/contract/console';
import type { Config } from '../config/config.ts';
import type { RunningServer } from './server.ts';

/**
 * Returns the text that a person sees when the server is up: where it listens, the first key (once), and a request that works as printed.
 */
export function startBox(config: Config, server: RunningServer): string {
  const { httpUrl, smtpPort, firstKey, firstSignIn, deps } = server;
  const lines = [
    `${brand.product} is ready.`,
    '',
    ...(httpUrl === null
      ? []
      : [`API    ${deps.address.publicUrl}/v1`, `Web    ${deps.address.publicUrl}${consolePath}`]),
    ...(smtpPort === null
      ? []
      : [`SMTP   ${config.smtp.host}:${smtpPort}, for addresses @${config.mailDomain}`]),
    `Data   ${config.databaseUrl ? 'Postgres at DATABASE_URL' : 'Postgres of its own'}, ${config.dataDir}`,
    `Mail   ${describeTransport(deps.transport.name)}`,
    ...(firstKey === null || httpUrl === null
      ? []
      : ['', 'Your API key, shown only this once:', `  ${firstKey}`]),
    ...(firstSignIn === null || httpUrl === null
      ? []
      : [
          '',
          'Your sign-in to the console, shown only this once:',
          `  ${firstSignIn.email}   ${firstSignIn.password}`,
        ]),
  ];
  if (httpUrl === null) return frame(lines);
  const baseUrl = `${deps.address.publicUrl}/v1`;
  return frame(lines) + exports(baseUrl, firstKey) + curl(baseUrl, firstKey);
}

function describeTransport(name: string): string {
  return name === 'sandbox'
    ? 'sandbox: mail between inboxes here is delivered, other mail goes nowhere'
    : `out by ${name}`;
}

function frame(lines: string[]): string {
  const width = Math.max(...lines.map((line) => line.length));
  const body = lines.map((line) => `│ ${line.padEnd(width)} │`);
  return ['', `┌${'─'.repeat(width + 2)}┐`, ...body, `└${'─'.repeat(width + 2)}┘`, ''].join('\n');
}

/** Returns shell commands that set the variables that programs with the SDK read. */
function exports(baseUrl: string, key: string | null): string {
  return [
    '',
    'For programs with the SDK:',
    '',
    ...(key === null ? [] : [`export ${brand.env.apiKey}=${key}`]),
    `export ${brand.env.baseUrl}=${baseUrl}`,
    '',
  ].join('\n');
}

/** Returns the request, which is outside the box so that it can be copied as it is. */
function curl(baseUrl: string, key: string | null): string {
  return [
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
}
