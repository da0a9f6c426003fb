import '../mail.css';
import { Button, Group, NativeSelect, Stack, Switch, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconTags } from '@tabler/icons-react';
import { lazy, Suspense, useMemo, useRef } from 'react';
import { Link, useHref, useLocation, useNavigate, useParams } from 'react-router';
import { threadsText } from '#strings/threads.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useSession } from '../../lib/session.ts';
import { useInboxAddress, useInboxChoice, useLabels } from '../../lib/shared-queries.ts';
import { IconButton } from '../../parts/buttons.tsx';
import { apiSnippets } from '../../parts/code-block.tsx';
import { EmptyState, Picture } from '../../parts/empty-state.tsx';
import { InboxFilter } from '../../parts/inbox-filter.tsx';
import { notifyProblem } from '../../parts/notify.ts';
import { PageTitle } from '../../parts/page-header.tsx';
import { useDeleteThreads } from './delete-threads.ts';
import { useThreadFilters, useThreadRows } from './row-queries.ts';
import { useThreadChanges } from './thread-changes.ts';
import { ThreadList } from './thread-list.tsx';
import { useThreadKeys, useThreadSelection } from './use-thread-keys.ts';

const ThreadPane = lazy(async () => ({ default: (await import('../message/thread-pane.tsx')).ThreadPane }));
const PauseToggle = lazyPart(async () => (await import('../../control/pausing.tsx')).PauseToggle);
const ChosenBar = lazy(async () => ({ default: (await import('./chosen-bar.tsx')).ChosenBar }));
const text = threadsText;

/** The threads of the workspace, and next to them the one that is open. On a phone one of the two is shown. */
export function ThreadsPage() {
  const { threadId = null } = useParams();
  const [filters] = useThreadFilters();
  const list = useThreadRows(filters);
  const selection = useThreadSelection(list.items);
  const { open, close, link } = useThreadLinks();
  const { mark } = useThreadChanges();
  const remove = useDeleteThreads();
  const scrollTo = useRef<((index: number) => void) | null>(null);
  const currentId = useThreadKeys({
    rows: list.items,
    openId: threadId,
    scrollTo,
    selection,
    onOpen: open,
    onClose: close,
    onMark: (rows) => {
      const isOpen = rows.some(({ id }) => id === threadId);
      if (isOpen) close();
      const read = !isOpen && rows.some(({ unread_count }) => unread_count > 0);
      mark(rows, read).catch(notifyProblem);
    },
    onDelete: (rows) => remove(rows.map(({ id }) => id)),
  });
  const isEmpty = !list.isLoading && !list.error && list.items.length === 0;
  return (
    <div className="mail-split" data-open={threadId !== null || undefined}>
      <PageTitle title={text.title} />
      <section className="mail-list-pane" aria-label={text.list}>
        <VisuallyHidden>
          <Title order={1}>{text.title}</Title>
        </VisuallyHidden>
        <Suspense fallback={<div className="thread-toolbar" />}>
          {selection.threads.length > 0 ? <ChosenBar selection={selection} /> : <ThreadsToolbar />}
        </Suspense>
        {isEmpty ? (
          <ThreadsEmpty />
        ) : (
          <ThreadList
            key={JSON.stringify(filters)}
            list={list}
            link={link}
            openId={threadId}
            currentId={currentId}
            selection={selection}
            onOpen={open}
            scrollTo={scrollTo}
          />
        )}
      </section>
      <section className="mail-thread-pane">
        <Suspense>
          {threadId === null ? (
            <Stack h="100%" p="xl" gap="xs" align="center" justify="center" ta="center" c="dimmed">
              {!isEmpty && <Picture name="mail" />}
              <Text fw={550}>{text.pickThread}</Text>
              <Text size="sm" maw={420} visibleFrom="sm">
                {text.keys}
              </Text>
            </Stack>
          ) : (
            <ThreadPane key={threadId} threadId={threadId} onClose={close} />
          )}
        </Suspense>
      </section>
    </div>
  );
}

function useThreadLinks() {
  const navigate = useNavigate();
  const { search } = useLocation();
  const base = useHref('/threads');
  return useMemo(() => {
    const params = new URLSearchParams(search);
    // A message that the address names is one of the open thread.
    params.delete('message');
    const kept = params.size === 0 ? '' : `?${params}`;
    const go = (pathname: string, replace = false) =>
      void navigate({ pathname, search: kept }, { preventScrollReset: true, replace });
    return {
      open: (id: string, isMove?: boolean) => go(`/threads/${id}`, isMove),
      close: () => go('/threads'),
      link: { base, search: kept },
    };
  }, [navigate, search, base]);
}

function ThreadsEmpty() {
  const [filters, change] = useThreadFilters();
  const { api_url, mail_domain } = useSession().server;
  const inbox = useInboxChoice().data?.find(({ id }) => filters.inbox === '' || id === filters.inbox);
  if (filters.label !== '' || filters.show !== '') {
    const clear = (
      <Button variant="default" onClick={() => change({ label: '', show: '', inbox: '' })}>
        {text.emptyFiltered.clear}
      </Button>
    );
    return <EmptyState {...text.emptyFiltered} picture="search" action={clear} />;
  }
  return (
    <EmptyState
      {...text.empty}
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

function ThreadsToolbar() {
  const [{ inbox, label, show }, change] = useThreadFilters();
  const inboxAddress = useInboxAddress();
  const labels = useLabels().items.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Group className="thread-toolbar" gap="xs">
      <InboxFilter value={inbox} onChange={(id) => change({ inbox: id })} />
      <NativeSelect
        size="xs"
        flex="1 1 90px"
        aria-label={text.label}
        value={label}
        onChange={({ currentTarget }) => change({ label: currentTarget.value })}
        data={[{ value: '', label: text.allLabels }, ...labels]}
      />
      <Group gap="xs" wrap="nowrap">
        {inbox !== '' && (
          <Suspense>
            <PauseToggle place={{ level: 'inbox', subjectId: inbox, name: inboxAddress(inbox) }} />
          </Suspense>
        )}
        <Switch
          size="xs"
          label={text.unreadOnly}
          checked={show === 'unread'}
          onChange={({ currentTarget }) => change({ show: currentTarget.checked ? 'unread' : '' })}
        />
        <IconButton icon={IconTags} label={text.manageLabels} component={Link} to="/labels" size="sm" />
      </Group>
    </Group>
  );
}
