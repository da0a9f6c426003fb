import { ActionIcon, Avatar, Group, Menu, Text } from '@mantine/core';
import type { Invitation, Member } from '@postrider/contract/console';
import { IconDots, IconUserPlus } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { peopleText } from '#strings/people.ts';
import { useChange, useShortList } from '../lib/query.ts';
import { useSession } from '../lib/session.ts';
import { useMembers } from '../lib/shared-queries.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { ListPage, ListSection } from '../lists/list-page.tsx';
import { ConfirmButton, ConfirmDialog } from '../parts/confirm-dialog.tsx';
import type { Column } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';

const InvitePerson = lazy(async () => ({ default: (await import('./invite-person.tsx')).InvitePerson }));
const { columns: headers } = peopleText;

const columns: Column<Member>[] = [
  { header: headers.name, cell: (member) => <NameCell member={member} /> },
  { header: headers.role, width: '110px', cell: ({ role }) => peopleText.roles[role] },
  {
    header: headers.secondFactor,
    width: '130px',
    cell: ({ has_second_factor: isOn }) => (
      <StatusBadge tone={isOn ? 'good' : 'quiet'}>{isOn ? peopleText.on : peopleText.off}</StatusBadge>
    ),
  },
  { header: headers.joined, width: '130px', cell: ({ joined_at }) => <Time value={joined_at} /> },
  {
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

const text = peopleText.invitations;

function InvitationList({ members }: { members: Member[] }) {
  const list = useShortList(
    ['invitations'],
    async ({ ask }) => (await ask('people.invitations')).invitations,
  );
  const memberName = (id: string | null) =>
    members.find(({ person_id }) => person_id === id)?.name ?? text.server;
  const columns: Column<Invitation>[] = [
    { header: text.columns.email, cell: ({ email }) => <Text fw={500}>{email}</Text> },
    { header: text.columns.role, width: '110px', cell: ({ role }) => peopleText.roles[role] },
    { header: text.columns.by, width: '180px', cell: ({ invited_by }) => memberName(invited_by) },
    { header: text.columns.expires, width: '130px', cell: ({ expires_at }) => <Time value={expires_at} /> },
    {
      header: text.columns.actions,
      width: '110px',
      isActions: true,
      cell: (invitation) => <RevokeInvitation invitation={invitation} />,
    },
  ];
  return (
    <ListSection
      title={text.title}
      about={text.about}
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      empty={<EmptyState {...text.empty} picture="people" />}
    />
  );
}

function RevokeInvitation({ invitation: { id, email } }: { invitation: Invitation }) {
  const { mutateAsync } = useChange(['invitations'], ({ ask }) =>
    ask('people.revokeInvitation', { params: { id } }),
  );
  return <ConfirmButton {...text.revoke(email)} onConfirm={mutateAsync} />;
}

function MemberActions({ member, isLastOwner }: { member: Member; isLastOwner: boolean }) {
  const { person_id: id, name, role } = member;
  const [asked, setAsked] = useState<'role' | 'removal'>('role');
  const [isOpen, setOpen] = useState(false);
  const isSelf = useSession().person.id === id;
  const nextRole = role === 'owner' ? 'member' : 'owner';
  // A change to the own membership also changes what the pages show, or ends the session.
  const lists = isSelf ? ['session', 'members'] : ['members'];
  const { mutateAsync: setRole } = useChange(lists, ({ ask }) =>
    ask('people.setRole', { params: { id }, body: { role: nextRole } }),
  );
  const { mutateAsync: remove } = useChange(lists, ({ ask }) =>
    ask('people.removeMember', { params: { id } }),
  );
  const { change } = peopleText;
  const removal = isSelf ? peopleText.leave : peopleText.remove(name);
  const confirmations = {
    role: {
      title: change.title(name, nextRole),
      message: isSelf ? change.ofSelf : change.ofOther(name, nextRole),
      confirm: change.confirm,
      done: change.done(name, nextRole),
      onConfirm: setRole,
    },
    removal: { ...removal, onConfirm: remove },
  };
  const ask = (next: typeof asked) => {
    setAsked(next);
    setOpen(true);
  };
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon aria-label={peopleText.actions(name)}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isLastOwner && <Menu.Label>{peopleText.lastOwner}</Menu.Label>}
          <Menu.Item disabled={isLastOwner} onClick={() => ask('role')}>
            {change.button(nextRole)}
          </Menu.Item>
          <Menu.Item disabled={isLastOwner} onClick={() => ask('removal')}>
            <Text size="sm" c={isLastOwner ? undefined : 'var(--mantine-color-error)'}>
              {removal.button}
            </Text>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        {...confirmations[asked]}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        isHarmless={asked === 'role' && role === 'member'}
      />
    </>
  );
}
