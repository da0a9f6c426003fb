import { Button, Group, Text } from '@mantine/core';
import type { PolicyEntry } from '@postrider/contract/console';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { partsText } from '#strings/parts.ts';
import { policyText, sendingText } from '#strings/sending.ts';
import { useSetPolicy } from '../control/control-queries.ts';
import { itemsIn, useList } from '../lib/query.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { IconButton } from '../parts/buttons.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { notify, notifyProblem } from '../parts/notify.ts';
import { Panel } from '../parts/panel.tsx';
import { PolicySummary } from './describe-policy.tsx';
import { ChangedBy } from './policy.tsx';
import { PolicyDialog, type PolicyTarget } from './policy-dialog.tsx';

const text = sendingText.list;

const columns: Column<PolicyEntry>[] = [
  {
    header: text.columns.place,
    cell: ({ level, name }) => (
      <>
        <Text fw={500}>{name}</Text>
        <Text variant="detail">{policyText.levels[level]}</Text>
      </>
    ),
  },
  {
    header: text.columns.lines,
    width: '40%',
    isPlain: true,
    cell: ({ lines }) => <PolicySummary lines={lines} />,
  },
  {
    header: text.columns.changed,
    width: '190px',
    cell: (entry) => (
      <Text c="dimmed">
        <ChangedBy entry={entry} />
      </Text>
    ),
  },
];

/** The policies of inboxes and keys. Owners add, change and remove them. */
export function PolicyList() {
  const list = useList(['control', 'policies'], ({ ask }, cursor) =>
    itemsIn('policies', ask('control.policies', { query: { cursor, limit: 50 } })),
  );
  const isOwner = useIsOwner();
  const [dialog, setDialog] = useState<{ target: PolicyTarget | null } | null>(null);
  const actions: Column<PolicyEntry> = {
    header: text.columns.actions,
    width: '90px',
    isActions: true,
    cell: (entry) => <RowActions entry={entry} onEdit={(target) => setDialog({ target })} />,
  };
  const add = (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => setDialog({ target: null })}
    >
      {text.add}
    </Button>
  );
  return (
    <Panel title={text.title} about={text.about} actions={isOwner && add}>
      <DataTable
        label={text.title}
        list={list}
        columns={isOwner ? [...columns, actions] : columns}
        rowKey={({ subject_id }) => subject_id}
        empty={<EmptyState {...text.empty} />}
      />
      {dialog && <PolicyDialog target={dialog.target} onClose={() => setDialog(null)} />}
    </Panel>
  );
}

function RowActions({ entry, onEdit }: { entry: PolicyEntry; onEdit(target: PolicyTarget): void }) {
  const { level, subject_id: id, name, lines } = entry;
  const { mutateAsync } = useSetPolicy();
  if (level === 'workspace') return null;
  async function restore() {
    await mutateAsync({ level, id, lines });
    await notify({ message: text.restored(name) });
  }
  async function remove() {
    await mutateAsync({ level, id, lines: {} });
    const action = { label: partsText.undo, run: () => void restore().catch(notifyProblem) };
    await notify({ message: text.removed(name), action });
  }
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <IconButton icon={IconPencil} label={text.edit(name)} onClick={() => onEdit({ level, id, name })} />
      <IconButton
        icon={IconTrash}
        label={text.remove(name)}
        onClick={() => void remove().catch(notifyProblem)}
      />
    </Group>
  );
}
