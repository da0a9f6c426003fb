import '../mail.css';
import {
  ActionIcon,
  Button,
  Group,
  NativeSelect,
  Stack,
  Switch,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { IconTags } from '@tabler/icons-react';
import { lazy, Suspense, useCallback, useMemo, useRef } from 'react';
import { Link, useHref, useLocation, useNavigate, useParams } from 'react-router';
import { threadsText } from '#strings/threads.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useSession } from '../../lib/session.ts';
import { useInboxAddress, useInboxChoice } from '../../lib/shared-queries.ts';
import { apiSnippets } from '../../parts/code-block.tsx';
import { EmptyState, Picture } from '../../parts/empty-state.tsx';
import { InboxFilter } from '../../parts/inbox-filter.tsx';
import { notifyProblem } from '../../parts/notify.ts';
import { PageTitle } from '../../parts/page-header.tsx';
import { useLabels } from '../labels/label-queries.ts';
import { useDeleteThreads } from './delete-threads.ts';
import { useThreadFilters, useThreadRows } from './row-queries.ts';
import { useThreadChanges } from './thread-changes.ts';
import { ThreadList } from './thread-list.tsx';
import { useThreadKeys, useThreadSelection } from './use-thread-keys.ts';

const ThreadPane = lazy(async () => ({ default: (await import('../message/thread-pane.tsx')).ThreadPane }));
const ChosenBar = lazy(async () => ({ default: (await import('./chosen-bar.tsx')).ChosenBar }));

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
  const inboxAddress = useAddresses();
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
      <PageTitle title={threadsText.title} />
      <section className="mail-list-pane" aria-label={threadsText.list}>
        <VisuallyHidden>
          <Title order={1}>{threadsText.title}</Title>
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
            chosen={selection.ids}
            inboxAddress={inboxAddress}
            showsInbox={filters.inbox === ''}
            onOpen={open}
            onChoose={selection.toggle}
            scrollTo={scrollTo}
          />
        )}
      </section>
      <section className="mail-thread-pane">
        <Suspense>
          {threadId === null ? (
            <Stack h="100%" p="xl" gap="xs" align="center" justify="center" ta="center" c="dimmed">
              {!isEmpty && <Picture name="mail" />}
              <Text fw={550}>{threadsText.pickThread}</Text>
              <Text size="sm" maw={420} visibleFrom="sm">
                {threadsText.keys}
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
  // The address may also name a message of the open thread.
  const kept = useMemo(() => {
    const params = new URLSearchParams(search);
    params.delete('message');
    return params.size === 0 ? '' : `?${params}`;
  }, [search]);
  const go = useCallback(
    (path: string, replace = false) =>
      void navigate({ pathname: path, search: kept }, { preventScrollReset: true, replace }),
    [navigate, kept],
  );
  const open = useCallback((id: string, isMove?: boolean) => go(`/threads/${id}`, isMove), [go]);
  const close = useCallback(() => go('/threads'), [go]);
  const link = useMemo(() => ({ base, search: kept }), [base, kept]);
  return { open, close, link };
}

function useAddresses(): (inboxId: string) => string | null {
  const { data } = useInboxChoice();
  const addresses = useMemo(() => new Map(data?.map(({ id, address }) => [id, address])), [data]);
  return useCallback((id) => addresses.get(id) ?? null, [addresses]);
}

/** The list without threads: how mail comes in, or how to see all threads. */
function ThreadsEmpty() {
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

const PauseToggle = lazyPart(async () => (await import('../../control/pausing.tsx')).PauseToggle);
const text = threadsText;

/** The filters of the list: inbox, label, and unread only. */
function ThreadsToolbar() {
  const [filters, change] = useThreadFilters();
  const labels = useLabels().items;
  return (
    <Group className="thread-toolbar" gap="xs">
      <InboxFilter value={filters.inbox} onChange={(inbox) => change({ inbox })} />
      <NativeSelect
        size="xs"
        flex="1 1 90px"
        aria-label={text.label}
        value={filters.label}
        onChange={({ currentTarget }) => change({ label: currentTarget.value })}
        data={[
          { value: '', label: text.allLabels },
          ...labels.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <Group gap="xs" wrap="nowrap">
        {filters.inbox !== '' && <InboxPause inboxId={filters.inbox} />}
        <Switch
          size="xs"
          label={text.unreadOnly}
          checked={filters.show === 'unread'}
          onChange={({ currentTarget }) => change({ show: currentTarget.checked ? 'unread' : '' })}
        />
        <ActionIcon
          component={Link}
          to="/labels"
          size="sm"
          aria-label={text.manageLabels}
          title={text.manageLabels}
        >
          <IconTags size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </Group>
  );
}

function InboxPause({ inboxId }: { inboxId: string }) {
  const inboxAddress = useInboxAddress();
  return (
    <Suspense>
      <PauseToggle place={{ level: 'inbox', subjectId: inboxId, name: inboxAddress(inboxId) }} />
    </Suspense>
  );
}
