import { brand } from '@postrider/contract/brand';
import { decisionsText } from '#strings/decisions.ts';
import type { Snippet } from '../parts/empty-state.tsx';

const text = decisionsText.empty;

interface Place {
  apiUrl: string;
  mailDomain: string;
  smtp: { host: string; port: number | null };
  /** The address of an inbox. */
  inbox: string;
}

/** Returns how to test that mail arrives: by swaks, by hand, and by an address of the simulator. */
export function decisionSnippets({ apiUrl, mailDomain, smtp: { host, port }, inbox }: Place): Snippet[] {
  const telnet = [
    `telnet ${host} ${port}`,
    'EHLO test.example',
    'MAIL FROM:<ada@example.com>',
    `RCPT TO:<${inbox}>`,
    'DATA',
    'Subject: Test',
    '',
    'Does this arrive?',
    '.',
    'QUIT',
  ];
  const simulator = [
    `import { ${brand.product} } from '${brand.packages.sdk}';`,
    '',
    `const client = new ${brand.product}({ baseURL: '${apiUrl}' });`,
    'const { inboxes } = await client.inboxes.list();',
    'await client.messages.send({',
    '  inbox_id: inboxes[0].id,',
    `  to: 'echo@simulator.${mailDomain}',`,
    "  subject: 'Test',",
    "  text: 'Does this arrive?',",
    '});',
  ];
  const swaks = `swaks --server ${host}:${port} --from ada@example.com --to ${inbox}`;
  const bySmtp = [
    { label: text.swaks, code: swaks },
    { label: text.telnet, code: telnet.join('\n') },
  ];
  return [...(port === null ? [] : bySmtp), { label: text.simulator, code: simulator.join('\n') }];
}
