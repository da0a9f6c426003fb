import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { accountText } from '#strings/account.ts';
import type { Confirmation } from '../parts/confirm-dialog.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';

interface PasswordButtonProps extends Required<Omit<Confirmation, 'onConfirm'>> {
  /** The text of the button, and its name if that does not say what it acts on. */
  button: string;
  label?: string;
  /** Whether there is nothing to take away. The dialog of the button still fades out after that. */
  isHidden?: boolean;
  /** Does it with the password. If it rejects, the dialog stays open and shows why. */
  onPassword(password: string): Promise<unknown>;
}

/** A button that takes something away from the account: it asks for the password of the person first. */
export function PasswordButton(props: PasswordButtonProps) {
  const { button, label, title, message, confirm, done, isHidden = false, onPassword } = props;
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      {!isHidden && (
        <Button size="xs" variant="default" aria-label={label} style={{ flex: 'none' }} onClick={open}>
          {button}
        </Button>
      )}
      <FormDialog
        isOpen={isOpen}
        onClose={close}
        title={title}
        submit={confirm}
        isRemoval
        onSubmit={(field) => onPassword(field('current'))}
        done={() => done}
      >
        <Text>{message}</Text>
        <PasswordField isFirst />
      </FormDialog>
    </>
  );
}

/** The field for the password that the person has now. */
export function PasswordField({ isFirst = false }: { isFirst?: boolean }) {
  return (
    <PasswordInput
      name="current"
      label={accountText.currentPassword}
      description={accountText.passwordWhy}
      autoComplete="current-password"
      required
      data-autofocus={isFirst || undefined}
    />
  );
}

/** Things of the account, one below the other. */
export function AccountRows({ children }: { children: ReactNode }) {
  return (
    <Stack
      component="ul"
      gap={0}
      mx={0}
      my={-10}
      p={0}
      className="console-rows"
      style={{ listStyle: 'none' }}
    >
      {children}
    </Stack>
  );
}

interface AccountRowProps {
  icon: Icon;
  name: ReactNode;
  about: ReactNode;
  action: ReactNode;
}

/** One of these things. */
export function AccountRow({ icon: Picture, name, about, action }: AccountRowProps) {
  return (
    <Group component="li" justify="space-between" wrap="nowrap" py={10}>
      <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
        <Picture size={20} stroke={1.5} style={{ flex: 'none' }} aria-hidden />
        <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          {name}
          <Text variant="note">{about}</Text>
        </div>
      </Group>
      <div style={{ flex: 'none' }}>{action}</div>
    </Group>
  );
}
