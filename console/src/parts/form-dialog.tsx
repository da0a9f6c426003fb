import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { partsText } from '#strings/parts.ts';
import { readFields } from '../lib/read-fields.ts';
import { ApiProblem } from './api-problem.tsx';

interface FormProps {
  /** The words of the button that submits the form. */
  submit: string;
  /** Whether the form takes something away, so that its button is red. */
  isRemoval?: boolean;
  isDisabled?: boolean;
  /** Does it with the values of the fields, by their names. If it rejects, the dialog stays open and shows why. */
  onSubmit(field: (name: string) => string): Promise<unknown>;
  onClose(): void;
  /** Shows why it was rejected, if not by the usual note. */
  showError?(error: Error): ReactNode;
  children: ReactNode;
}

/** A dialog with a form, which closes when the server has confirmed the change. */
export function FormDialog({
  isOpen,
  title,
  ...form
}: FormProps & { isOpen: boolean } & Pick<ModalProps, 'title'>) {
  return (
    <Modal opened={isOpen} onClose={form.onClose} title={title}>
      <DialogForm {...form} />
    </Modal>
  );
}

/** The form of a dialog: a closed dialog forgets its state. */
function DialogForm(props: FormProps) {
  const { submit, isRemoval = false, isDisabled = false, onSubmit, onClose, children } = props;
  const { showError = (cause) => <ApiProblem error={cause} /> } = props;
  const { mutate, isPending, error } = useMutation({ mutationFn: onSubmit, onSuccess: onClose });
  return (
    <form onSubmit={(event) => mutate(readFields(event))}>
      <Stack gap="md">
        {error && showError(error)}
        {children}
        <FormActions {...{ submit, isRemoval, isDisabled, isPending }} onCancel={onClose} />
      </Stack>
    </form>
  );
}

interface FormActionsProps {
  /** The words of the button that submits the form. */
  submit: string;
  isPending: boolean;
  /** Whether the form takes something away, so that its button is red. */
  isRemoval?: boolean;
  isDisabled?: boolean;
  onCancel(): void;
}

/** The buttons at the end of a form in a dialog. */
export function FormActions(props: FormActionsProps) {
  const { submit, isPending, isRemoval = false, isDisabled = false, onCancel } = props;
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onCancel}>
        {partsText.cancel}
      </Button>
      <Button type="submit" color={isRemoval ? 'red.9' : undefined} loading={isPending} disabled={isDisabled}>
        {submit}
      </Button>
    </Group>
  );
}
