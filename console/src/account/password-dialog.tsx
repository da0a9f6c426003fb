import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { accountText } from '#strings/account.ts';
import { partsText } from '#strings/parts.ts';
import { readFields } from '../lib/read-fields.ts';
import { ApiProblem } from '../parts/api-problem.tsx';

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
export function PasswordDialog(props: PasswordDialogProps) {
  const { isOpen, onClose, title, message, confirm, isRemoval = false, onPassword } = props;
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  async function run(password: string) {
    setRunning(true);
    setError(null);
    try {
      await onPassword(password);
      onClose();
    } catch (cause) {
      setError(cause);
    } finally {
      setRunning(false);
    }
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} onExitTransitionEnd={() => setError(null)}>
      <form onSubmit={(event) => void run(readFields(event)('current'))}>
        <Stack gap="md">
          <Text>{message}</Text>
          {error !== null && <ApiProblem error={error} />}
          <PasswordInput
            name="current"
            label={accountText.currentPassword}
            description={accountText.passwordWhy}
            autoComplete="current-password"
            required
            withAsterisk={false}
            data-autofocus
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {partsText.cancel}
            </Button>
            <Button type="submit" color={isRemoval ? 'red' : undefined} loading={isRunning}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
