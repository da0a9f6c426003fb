import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { partsText } from '#strings/parts.ts';
import { ApiProblem } from './api-problem.tsx';

interface ConfirmButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'color' | 'disabled'> {
  children: ReactNode;
  /** The name of the button for screen readers, if its text alone does not say what it acts on. */
  label?: string;
  /** The question. */
  title: string;
  /** What will happen. */
  message: ReactNode;
  /** The text of the button that does it. */
  confirm: string;
  /** Does it. If it rejects, the dialog stays open and shows why. */
  onConfirm(): Promise<unknown>;
}

/** A button for something that cannot be undone: it asks first. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { children, label, title, message, confirm, onConfirm, ...button } = props;
  const [isOpen, { open, close }] = useDisclosure(false);
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  async function run() {
    setRunning(true);
    setError(null);
    try {
      await onConfirm();
      close();
    } catch (cause) {
      setError(cause);
    } finally {
      setRunning(false);
    }
  }
  return (
    <>
      <Button size="xs" variant="default" {...button} aria-label={label} onClick={open}>
        {children}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={title}
        closeButtonProps={{ 'aria-label': partsText.close }}
        onExitTransitionEnd={() => setError(null)}
      >
        <Stack gap="md">
          <Text>{message}</Text>
          {error !== null && <ApiProblem error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close} data-autofocus>
              {partsText.cancel}
            </Button>
            <Button color="red" loading={isRunning} onClick={() => void run()}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
