import { Avatar, Group, Text } from '@mantine/core';
import type { Member } from '@postrider/contract/console';
import { IconUserPlus } from '@tabler/icons-react';
import { lazy } from 'react';
import { peopleText } from '#strings/people.ts';
import { useSession } from '../lib/session.ts';
import { useMembers } from '../lib/shared-queries.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { ListPage } from '../lists/list-page.tsx';
import type { Column } from '../parts/data-table.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
import { InvitationList } from './invitation-list.tsx';
import { MemberActions } from './member-actions.tsx';

const InvitePerson = lazy(async () => ({ default: (await import('./invite-person.tsx')).InvitePerson }));
const { columns: headers } = peopleText;

const columns: Column<Member>[] = [
  { id: 'name', header: headers.name, cell: (member) => <NameCell member={member} /> },
  {
    id: 'role',
    header: headers.role,
    width: '110px',
    cell: ({ role }) => peopleText.roles[role],
  },
  {
    id: 'secondFactor',
    header: headers.secondFactor,
    width: '130px',
    cell: ({ has_second_factor: isOn }) => (
      <StatusBadge tone={isOn ? 'good' : 'quiet'}>{isOn ? peopleText.on : peopleText.off}</StatusBadge>
    ),
  },
  {
    id: 'joined',
    header: headers.joined,
    width: '130px',
    cell: ({ joined_at }) => <Time value={joined_at} />,
  },
  {
    id: 'seen',
    header: headers.seen,
    width: '130px',
    cell: ({ last_seen_at }) =>
      last_seen_at === null ? <Text c="dimmed">{peopleText.never}</Text> : <Time value={last_seen_at} />,
  },
];

/** The people of the workspace with their roles, and for owners the invitations. */
export function PeoplePage() {
  const members = useMembers();
  const isOwner = useIsOwner();
  const isLastOwner = members.items.filter(({ role }) => role === 'owner').length === 1;
  const actions: Column<Member> = {
    id: 'actions',
    header: headers.actions,
    width: '64px',
    isActions: true,
    cell: (member) => <MemberActions member={member} isLastOwner={isLastOwner && member.role === 'owner'} />,
  };
  const about = isOwner ? peopleText.about : `${peopleText.about} ${peopleText.ownersManage}`;
  return (
    <ListPage
      text={{ ...peopleText, about }}
      picture="people"
      list={members}
      columns={isOwner ? [...columns, actions] : columns}
      rowKey={({ person_id }) => person_id}
      {...(isOwner && {
        create: { label: peopleText.invite.button, Dialog: InvitePerson, icon: IconUserPlus },
      })}
    >
      {isOwner && <InvitationList members={members.items} />}
    </ListPage>
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
