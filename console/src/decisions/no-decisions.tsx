import { Text } from '@mantine/core';
import { decisionsText } from '#strings/decisions.ts';
import { useSession } from '../lib/session.ts';
import { useInboxChoice } from '../lib/shared-queries.ts';
import { sdkProgram } from '../parts/code-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { NothingMatches } from '../parts/list-frame.tsx';
import { nearestAddress } from './decision-story.tsx';

const text = decisionsText.empty;

/** The log when nothing passes the filters: why a mail may be missing in it, and the address that was probably meant. */
export function NoMatch({ query, onClear }: { query: string; onClear(): void }) {
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
      <Text variant="note" ta="center" maw={640} mx="auto" px="md" pb="md">
        {decisionsText.none(mail_domain)}
      </Text>
    </>
  );
}

/** The log before the first mail: how to test that mail arrives, by swaks, by hand, and by an address of the simulator. */
export function NoMail() {
  const { api_url, mail_domain, smtp } = useSession().server;
  const { host, port } = smtp;
  const { data: inboxes } = useInboxChoice();
  const inbox = inboxes?.[0]?.address ?? `support@${mail_domain}`;
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
  const simulator = sdkProgram(
    api_url,
    'const { inboxes } = await client.inboxes.list();',
    'await client.messages.send({',
    '  inbox_id: inboxes[0].id,',
    `  to: 'echo@simulator.${mail_domain}',`,
    "  subject: 'Test',",
    "  text: 'Does this arrive?',",
    '});',
  );
  const bySmtp = [
    { label: text.swaks, code: `swaks --server ${host}:${port} --from ada@example.com --to ${inbox}` },
    { label: text.telnet, code: telnet.join('\n') },
  ];
  const snippets = [...(port === null ? [] : bySmtp), { label: text.simulator, code: simulator }];
  return <EmptyState title={text.title} message={text.message} picture="mail" snippets={snippets} />;
}
