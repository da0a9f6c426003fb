import { ActionIcon, Menu, Text } from '@mantine/core';
import type { Member } from '@postrider/contract/console';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { peopleText } from '#strings/people.ts';
import { useChange } from '../lib/query.ts';
import { useSession } from '../lib/session.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';

interface MemberActionsProps {
  member: Member;
  /** Whether the workspace would be without an owner. */
  isLastOwner: boolean;
}

/** The menu of a member: another role, and leaving the workspace. Both ask first. */
export function MemberActions({ member, isLastOwner }: MemberActionsProps) {
  const { person_id: id, name, role } = member;
  const [asked, setAsked] = useState<'role' | 'removal'>('role');
  const [isOpen, setOpen] = useState(false);
  const isSelf = useSession().person.id === id;
  const nextRole = role === 'owner' ? 'member' : 'owner';
  // A change to the own membership also changes what the pages show, or ends the session.
  const lists = isSelf ? ['session', 'members'] : ['members'];
  const { mutateAsync: setRole } = useChange<void, unknown>(
    ({ ask }) => ask('people.setRole', { params: { id }, body: { role: nextRole } }),
    lists,
  );
  const { mutateAsync: remove } = useChange<void, unknown>(
    ({ ask }) => ask('people.removeMember', { params: { id } }),
    lists,
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
