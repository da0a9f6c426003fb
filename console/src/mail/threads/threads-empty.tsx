import { Button } from '@mantine/core';
import { threadsText } from '#strings/threads.ts';
import { useInboxChoice } from '../../lib/inboxes.ts';
import { useSession } from '../../lib/session.ts';
import { apiSnippets } from '../../parts/api-snippets.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useThreadFilters } from './row-queries.ts';

/** The list without threads: how mail comes in, or how to see all threads. */
export function ThreadsEmpty() {
  const [filters, change] = useThreadFilters();
  const { api_url, mail_domain } = useSession().server;
  const inbox = useInboxChoice().data?.find(({ id }) => filters.inbox === '' || id === filters.inbox);
  if (filters.label !== '' || filters.show !== '') {
    const clear = (
      <Button variant="default" onClick={() => change({ label: '', show: '', inbox: '' })}>
        {threadsText.emptyFiltered.clear}
      </Button>
    );
    return <EmptyState {...threadsText.emptyFiltered} picture="search" action={clear} />;
  }
  return (
    <EmptyState
      {...threadsText.empty}
      picture="mail"
      snippets={snippetsFor(api_url, inbox?.id ?? 'inb_…', `echo@simulator.${mail_domain}`)}
    />
  );
}

/** Writes to the address of the server that answers every message, so that mail comes back. */
function snippetsFor(apiUrl: string, id: string, address: string) {
  const message = { inbox_id: id, to: [address], subject: 'Hello', text: 'It works.' };
  const sdk = [
    'await client.messages.send({',
    `  inbox_id: '${id}',`,
    `  to: ['${address}'],`,
    "  subject: 'Hello',",
    "  text: 'It works.',",
    '});',
  ];
  return apiSnippets(apiUrl, { path: '/messages', body: message, sdk: sdk.join('\n') });
}
