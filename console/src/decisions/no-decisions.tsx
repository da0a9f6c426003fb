import { Text } from '@mantine/core';
import { brand } from '@postrider/contract/brand';
import { decisionsText } from '#strings/decisions.ts';
import { useSession } from '../lib/session.ts';
import { useInboxChoice } from '../lib/shared-queries.ts';
import { EmptyState, type Snippet } from '../parts/empty-state.tsx';
import { NothingMatches } from '../parts/list-frame.tsx';
import { nearestAddress } from './decision-story.tsx';

const text = decisionsText.empty;

interface NoMatchProps {
  query: string;
  onClear(): void;
}

/** The log when nothing passes the filters: why a mail may be missing in it, and the address that was probably meant. */
export function NoMatch({ query, onClear }: NoMatchProps) {
  const { mail_domain } = useSession().server;
  const { data: inboxes } = useInboxChoice();
  const addresses = inboxes?.map(({ address }) => address) ?? [];
  const isUnknown = inboxes && /^\S+@\S+$/.test(query) && !addresses.includes(query.toLowerCase());
  const nearest = isUnknown ? nearestAddress(query, addresses) : null;
  return (
    <>
      <NothingMatches onClear={onClear} />
      {nearest !== null && (
        <Text fw={500} ta="center" px="md" pb="xs">
          {decisionsText.unknown(query)} {decisionsText.nearest(nearest)}
        </Text>
      )}
      <Text c="dimmed" size="sm" ta="center" maw={640} mx="auto" px="md" pb="md">
        {decisionsText.none(mail_domain)}
      </Text>
    </>
  );
}

/** The log before the first mail: how to test that mail arrives. */
export function NoMail() {
  const { api_url, mail_domain, smtp } = useSession().server;
  const { data: inboxes } = useInboxChoice();
  const inbox = inboxes?.[0]?.address ?? `support@${mail_domain}`;
  return (
    <EmptyState
      title={text.title}
      message={text.message}
      picture="mail"
      snippets={decisionSnippets({ apiUrl: api_url, mailDomain: mail_domain, smtp, inbox })}
    />
  );
}

interface Place {
  apiUrl: string;
  mailDomain: string;
  smtp: { host: string; port: number | null };
  /** The address of an inbox. */
  inbox: string;
}

/** Returns how to test that mail arrives: by swaks, by hand, and by an address of the simulator. */
function decisionSnippets({ apiUrl, mailDomain, smtp: { host, port }, inbox }: Place): Snippet[] {
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
