import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { partsText } from '#strings/parts.ts';
import { ApiProblem } from './api-problem.tsx';
import type { DialogProps } from './form-dialog.tsx';
import { notify } from './notify.ts';

/** The question of a dialog before an action. */
export interface Confirmation {
  title: string;
  /** The effect of the action. */
  message: ReactNode;
  confirm: string;
  /** The words of the notice once it is done. */
  done?: string;
  /** Does it. If it rejects, the dialog stays open and shows why. */
  onConfirm(): Promise<unknown>;
}

interface ConfirmDialogProps extends Confirmation, DialogProps {
  /** Whether the change takes nothing away, so that its button is not red. */
  isHarmless?: boolean;
}

/** A dialog that asks before it does something. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, message, confirm, done, onConfirm, isHarmless = false } = props;
  // The words are those of the moment of the click: what the action changes may change them, too.
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async () => {
      await onConfirm();
      if (done !== undefined) void notify({ message: done });
    },
    onSuccess: onClose,
  });
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} onExitTransitionEnd={reset}>
      <Stack gap="md">
        <Text component="div">{message}</Text>
        {error && <ApiProblem error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {partsText.cancel}
          </Button>
          <Button color={isHarmless ? undefined : 'red.9'} loading={isPending} onClick={() => mutate()}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface ConfirmButtonProps
  extends Confirmation,
    Pick<ButtonProps, 'variant' | 'size' | 'color' | 'disabled'> {
  button: string;
  /** The name of the button for screen readers, if its text alone does not say what it acts on. */
  label?: string;
}

/** A button for something that cannot be undone: it asks first. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { button, label, title, message, confirm, done, onConfirm, ...looks } = props;
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" {...looks} aria-label={label} onClick={open}>
        {button}
      </Button>
      <ConfirmDialog isOpen={isOpen} onClose={close} {...{ title, message, confirm, done, onConfirm }} />
    </>
  );
}
