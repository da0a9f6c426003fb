import { Button, Group, Modal, type ModalProps, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { partsText } from '#strings/parts.ts';
import { readFields } from '../lib/read-fields.ts';
import { ApiProblem } from './api-problem.tsx';

interface FormProps<Result> extends Pick<FormActionsProps, 'submit' | 'isRemoval' | 'isDisabled'> {
  /** Does it with the values of the fields, by their names. If it rejects, the form stays and shows why. */
  onSubmit(field: (name: string) => string): Promise<Result>;
  /** Called when the server has confirmed it. */
  onDone(result: Result): void;
  onCancel(): void;
  /** Shows why it was rejected, if not by the usual note. */
  showError?(error: Error): ReactNode;
  children: ReactNode;
}

type FormDialogProps = Omit<FormProps<unknown>, 'onDone' | 'onCancel'> &
  Pick<ModalProps, 'title'> & { isOpen: boolean; onClose(): void };

/** A dialog with a form, which closes when the server has confirmed what was submitted. A closed dialog forgets its fields. */
export function FormDialog({ isOpen, onClose, title, ...form }: FormDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <DialogForm {...form} onDone={onClose} onCancel={onClose} />
    </Modal>
  );
}

/** The first field of a dialog: the name that a person gives the new thing. Its value is `name`. */
export function NameField(
  props: Pick<TextInputProps, 'label' | 'description' | 'placeholder' | 'maxLength'>,
) {
  return <TextInput {...props} name="name" autoComplete="off" required data-autofocus />;
}

/** The form of a dialog, with its buttons. */
export function DialogForm<Result>(props: FormProps<Result>) {
  const { onSubmit, onDone, onCancel, children, submit, isRemoval = false, isDisabled = false } = props;
  const { showError = (cause) => <ApiProblem error={cause} /> } = props;
  const { mutate, isPending, error } = useMutation({ mutationFn: onSubmit, onSuccess: onDone });
  return (
    <form onSubmit={(event) => mutate(readFields(event))}>
      <Stack gap="md">
        {error && showError(error)}
        {children}
        <FormActions {...{ submit, isRemoval, isDisabled, isPending, onCancel }} />
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
