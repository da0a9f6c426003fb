import { environmentLines, keyPlaceholder } from '../keys/key-snippets.ts';
import { curlCommand } from '../parts/api-snippets.ts';

/** Returns the commands that put the key into the environment and create an inbox. */
export function inboxCommand(apiUrl: string): string {
  const create = curlCommand(apiUrl, { path: '/inboxes', body: {} });
  return `${environmentLines(apiUrl, keyPlaceholder)}\n${create}`;
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
  return curlCommand(apiUrl, { path: '/messages', body });
}
