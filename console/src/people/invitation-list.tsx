import { Text, Title } from '@mantine/core';
import type { Invitation, Member } from '@postrider/contract/console';
import { peopleText } from '#strings/people.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { notify } from '../parts/notify.ts';
import { Time } from '../parts/time.tsx';
import { useInvitations, useRevokeInvitation } from './people-queries.ts';
import { RoleName } from './role-name.tsx';

const text = peopleText.invitations;

/** The invitations that were not accepted yet. `members` has the names of the people who made them. */
export function InvitationList({ members }: { members: Member[] }) {
  const list = useInvitations();
  const memberName = (id: string | null) =>
    members.find(({ person_id }) => person_id === id)?.name ?? text.server;
  const columns: Column<Invitation>[] = [
    { id: 'email', header: text.columns.email, cell: ({ email }) => <Text fw={500}>{email}</Text> },
    { id: 'role', header: text.columns.role, cell: ({ role }) => <RoleName role={role} /> },
    {
      id: 'by',
      header: text.columns.by,
      wideOnly: true,
      cell: ({ invited_by }) => memberName(invited_by),
    },
    { id: 'expires', header: text.columns.expires, cell: ({ expires_at }) => <Time value={expires_at} /> },
    {
      id: 'actions',
      header: text.columns.actions,
      isActions: true,
      cell: (invitation) => <RevokeInvitation invitation={invitation} />,
    },
  ];
  return (
    <section>
      <Title order={2} mt="xl">
        {text.title}
      </Title>
      <Text c="dimmed" mb="sm">
        {text.about}
      </Text>
      <DataTable
        label={text.title}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState {...text.empty} />}
      />
    </section>
  );
}

function RevokeInvitation({ invitation: { id, email } }: { invitation: Invitation }) {
  const { mutateAsync } = useRevokeInvitation();
  async function revoke() {
    await mutateAsync(id);
    void notify({ message: text.revoke.done(email) });
  }
  return (
    <ConfirmButton
      label={text.revoke.label(email)}
      title={text.revoke.title(email)}
      message={text.revoke.message}
      confirm={text.revoke.confirm}
      onConfirm={revoke}
    >
      {text.revoke.button}
    </ConfirmButton>
  );
}
