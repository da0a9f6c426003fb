import { Avatar, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Member } from '@postrider/contract/console';
import { IconUserPlus } from '@tabler/icons-react';
import { peopleText } from '#strings/people.ts';
import { useSession } from '../lib/session.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InvitePerson } from './invite-person.tsx';
import { MemberActions } from './member-actions.tsx';
import { useMembers } from './people-queries.ts';
import { RoleName } from './role-name.tsx';

const { columns: headers } = peopleText;

const columns: Column<Member>[] = [
  { id: 'name', header: headers.name, cell: (member) => <NameCell member={member} /> },
  { id: 'role', header: headers.role, cell: ({ role }) => <RoleName role={role} /> },
  {
    id: 'secondFactor',
    header: headers.secondFactor,
    wideOnly: true,
    cell: ({ has_second_factor: isOn }) => (
      <StatusBadge tone={isOn ? 'good' : 'quiet'}>{isOn ? peopleText.on : peopleText.off}</StatusBadge>
    ),
  },
  {
    id: 'joined',
    header: headers.joined,
    wideOnly: true,
    cell: ({ joined_at }) => <Time value={joined_at} />,
  },
  {
    id: 'seen',
    header: headers.seen,
    wideOnly: true,
    cell: ({ last_seen_at }) =>
      last_seen_at === null ? <Text c="dimmed">{peopleText.never}</Text> : <Time value={last_seen_at} />,
  },
];

/** The people of the workspace with their roles, and for owners the invitations. */
export function PeoplePage() {
  const members = useMembers();
  const isOwner = useIsOwner();
  const [isInviting, { open, close }] = useDisclosure(false);
  const isLastOwner = members.items.filter(({ role }) => role === 'owner').length === 1;
  const actions: Column<Member> = {
    id: 'actions',
    header: headers.actions,
    isActions: true,
    cell: (member) => <MemberActions member={member} isLastOwner={isLastOwner && member.role === 'owner'} />,
  };
  const invite = (
    <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={open}>
      {peopleText.invite.button}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={peopleText.title}
        about={isOwner ? peopleText.about : `${peopleText.about} ${peopleText.ownersManage}`}
        actions={isOwner ? invite : undefined}
      />
      <DataTable
        label={peopleText.title}
        list={members}
        columns={isOwner ? [...columns, actions] : columns}
        rowKey={({ person_id }) => person_id}
        empty={<EmptyState {...peopleText.empty} />}
      />
      {isOwner && <InvitationList members={members.items} />}
      <InvitePerson isOpen={isInviting} onClose={close} />
    </>
  );
}

function NameCell({ member: { person_id, name, email } }: { member: Member }) {
  const isSelf = useSession().person.id === person_id;
  return (
    <Group gap={10} wrap="nowrap">
      <Avatar size={30} name={name} color="pine" variant="filled" alt="" aria-hidden visibleFrom="xs" />
      <div style={{ minWidth: 0 }}>
        <Group gap={6}>
          <Text fw={500}>{name}</Text>
          {isSelf && <StatusBadge tone="quiet">{peopleText.you}</StatusBadge>}
        </Group>
        <Text c="dimmed">{email}</Text>
      </div>
    </Group>
  );
}
