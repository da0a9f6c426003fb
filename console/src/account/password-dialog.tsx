import { PasswordInput, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { accountText } from '#strings/account.ts';
import { FormDialog } from '../parts/form-dialog.tsx';

interface PasswordDialogProps {
  isOpen: boolean;
  onClose(): void;
  title: string;
  message: ReactNode;
  confirm: string;
  /** Whether it takes something away, so that its button is red. */
  isRemoval?: boolean;
  /** Does it with the password. If it rejects, the dialog stays open and shows why. */
  onPassword(password: string): Promise<unknown>;
}

/** A dialog that asks for the password of the person before a change of the account. */
export function PasswordDialog({ message, confirm, onPassword, ...dialog }: PasswordDialogProps) {
  return (
    <FormDialog {...dialog} submit={confirm} onSubmit={(field) => onPassword(field('current'))}>
      <Text>{message}</Text>
      <PasswordField isFirst />
    </FormDialog>
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
