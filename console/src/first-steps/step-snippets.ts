import { brand } from '@postrider/contract/brand';
import { keyPlaceholder } from '../keys/key-snippets.ts';

const authorization = `-H "Authorization: Bearer $${brand.env.apiKey}"`;
const json = "-H 'Content-Type: application/json'";

/** Returns the command that creates an inbox. */
export function inboxCommand(apiUrl: string): string {
  return [
    `export ${brand.env.apiKey}=${keyPlaceholder}`,
    `curl ${apiUrl}/inboxes \\`,
    `  ${authorization} ${json} \\`,
    `  -d '{"local_part": "agent"}'`,
  ].join('\n');
}

/** Returns the commands that write a mail and hand it to the server for an address. */
export function mailCommand(smtp: { host: string; port: number }, to: string): string {
  const mail = `From: Ada <ada@example.com>\\r\\nTo: ${to}\\r\\nSubject: Hello\\r\\n\\r\\nIs anybody there?\\r\\n`;
  return [
    `printf '${mail}' |`,
    `  curl smtp://${smtp.host}:${smtp.port} --mail-from ada@example.com --mail-rcpt ${to} --upload-file -`,
  ].join('\n');
}

/** Returns the command that sends a mail from an inbox to the simulator, which answers it. */
export function sendCommand(apiUrl: string, inboxId: string, mailDomain: string): string {
  const body = {
    inbox_id: inboxId,
    to: [`echo@simulator.${mailDomain}`],
    subject: 'Hello',
    text: 'Is anybody there?',
  };
  return [
    `curl ${apiUrl}/messages \\`,
    `  ${authorization} ${json} \\`,
    `  -d '${JSON.stringify(body, null, 2)}'`,
  ].join('\n');
}
