import { ActionIcon, Menu, Text } from '@mantine/core';
import type { Member, Role } from '@postrider/contract/console';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { peopleText } from '#strings/people.ts';
import { useChange } from '../lib/query.ts';
import { useSession } from '../lib/session.ts';
import { type Confirmation, ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { notify } from '../parts/notify.ts';

interface MemberActionsProps {
  member: Member;
  /** Whether the workspace would be without an owner. */
  isLastOwner: boolean;
}

type Asked = 'role' | 'remove';

/** The menu of a member: another role, and leaving the workspace. Both ask first. */
export function MemberActions({ member, isLastOwner }: MemberActionsProps) {
  const [asked, setAsked] = useState<Asked>('role');
  const [isOpen, setOpen] = useState(false);
  const isSelf = useSession().person.id === member.person_id;
  const confirmations = { role: useRoleChange(member, isSelf), remove: useRemoval(member, isSelf) };
  const ask = (next: Asked) => {
    setAsked(next);
    setOpen(true);
  };
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon aria-label={peopleText.actions(member.name)}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isLastOwner && <Menu.Label>{peopleText.lastOwner}</Menu.Label>}
          <Menu.Item disabled={isLastOwner} onClick={() => ask('role')}>
            {peopleText.change.button(otherRole(member.role))}
          </Menu.Item>
          <Menu.Item disabled={isLastOwner} onClick={() => ask('remove')}>
            <Text size="sm" c={isLastOwner ? undefined : 'var(--mantine-color-error)'}>
              {isSelf ? peopleText.leave.button : peopleText.remove.button}
            </Text>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        {...confirmations[asked]}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        isHarmless={asked === 'role' && member.role === 'member'}
      />
    </>
  );
}

function useRoleChange({ person_id, name, role }: Member, isSelf: boolean): Confirmation {
  const next = otherRole(role);
  const { mutateAsync } = useChange(
    ({ ask }, _: undefined) => ask('people.setRole', { params: { id: person_id }, body: { role: next } }),
    memberLists(isSelf),
  );
  const text = peopleText.change;
  return {
    title: text.title(name, next),
    message: isSelf ? text.ofSelf : text.ofOther(name, next),
    confirm: text.confirm,
    onConfirm: async () => {
      await mutateAsync(undefined);
      void notify({ message: text.done(name, next) });
    },
  };
}

function useRemoval({ person_id, name }: Member, isSelf: boolean): Confirmation {
  const { mutateAsync } = useChange(
    ({ ask }, _: undefined) => ask('people.removeMember', { params: { id: person_id } }),
    memberLists(isSelf),
  );
  if (isSelf) return { ...peopleText.leave, onConfirm: () => mutateAsync(undefined) };
  const text = peopleText.remove;
  return {
    title: text.title(name),
    message: text.message(name),
    confirm: text.confirm,
    onConfirm: async () => {
      await mutateAsync(undefined);
      void notify({ message: text.done(name) });
    },
  };
}

/** A change to the own membership also changes what the pages show, or ends the session. */
const memberLists = (isSelf: boolean) => (isSelf ? ['session', 'members'] : ['members']);

function otherRole(role: Role): Role {
  return role === 'owner' ? 'member' : 'owner';
}
