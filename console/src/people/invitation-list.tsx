import { Text } from '@mantine/core';
import type { Invitation, Member } from '@postrider/contract/console';
import { peopleText } from '#strings/people.ts';
import { useChange, useShortList } from '../lib/query.ts';
import { ListSection } from '../lists/list-page.tsx';
import { ConfirmButton } from '../parts/confirm-dialog.tsx';
import type { Column } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { notify } from '../parts/notify.ts';
import { Time } from '../parts/time.tsx';

const text = peopleText.invitations;

/** The invitations that were not accepted yet, newest first. `members` has the names of the people who made them. */
export function InvitationList({ members }: { members: Member[] }) {
  const list = useShortList(
    ['invitations'],
    async ({ ask }) => (await ask('people.invitations')).invitations,
  );
  const memberName = (id: string | null) =>
    members.find(({ person_id }) => person_id === id)?.name ?? text.server;
  const columns: Column<Invitation>[] = [
    { id: 'email', header: text.columns.email, cell: ({ email }) => <Text fw={500}>{email}</Text> },
    { id: 'role', header: text.columns.role, width: '110px', cell: ({ role }) => peopleText.roles[role] },
    {
      id: 'by',
      header: text.columns.by,
      width: '180px',
      cell: ({ invited_by }) => memberName(invited_by),
    },
    {
      id: 'expires',
      header: text.columns.expires,
      width: '130px',
      cell: ({ expires_at }) => <Time value={expires_at} />,
    },
    {
      id: 'actions',
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
  const { mutateAsync } = useChange(
    ({ ask }, _: undefined) => ask('people.revokeInvitation', { params: { id } }),
    ['invitations'],
  );
  async function revoke() {
    await mutateAsync(undefined);
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
