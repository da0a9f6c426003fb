import { ActionIcon, Group, NativeSelect, Switch } from '@mantine/core';
import { IconTags } from '@tabler/icons-react';
import { Suspense } from 'react';
import { Link } from 'react-router';
import { threadsText } from '#strings/threads.ts';
import { useInboxAddress } from '../../lib/inboxes.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { InboxFilter } from '../../parts/inbox-filter.tsx';
import { useLabels } from '../labels/label-queries.ts';
import { useThreadFilters } from './row-queries.ts';

const PauseToggle = lazyPart(async () => (await import('../../control/pause-toggle.tsx')).PauseToggle);
const text = threadsText;

/** The filters of the list: inbox, label, and unread only. */
export function ThreadsToolbar() {
  const [filters, change] = useThreadFilters();
  const labels = useLabels().data ?? [];
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
