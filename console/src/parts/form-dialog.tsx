import { Button, Group, Modal, type ModalProps, Stack, TextInput, type TextInputProps } from '@mantine/core';
import type { consoleLimits } from '@postrider/contract/console';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { partsText } from '#strings/parts.ts';
import { readFields } from '../lib/browser.ts';
import { ApiProblem } from './api-problem.tsx';
import { notify } from './notify.ts';

/** The properties of a dialog that its page opens and closes. */
export interface DialogProps {
  isOpen: boolean;
  onClose(): void;
}

/** The properties of a field whose value is kept outside of it. */
export interface FieldProps<Value> {
  value: Value;
  onChange(value: Value): void;
}

/** The properties of a form whose values are sent to the server. */
export interface FormProps<Result>
  extends Pick<FormActionsProps, 'submit' | 'isRemoval' | 'isDisabled' | 'onCancel' | 'beside'> {
  /** Does it with the values of the fields, by their names. If it rejects, the form stays and shows why. */
  onSubmit(field: (name: string) => string): Promise<Result>;
  onDone?(result: Result): void;
  /** Returns the words of the notice once the server has confirmed it. */
  done?(result: Result): string;
  /** Shows why it was rejected, if not by the usual note. */
  showError?(error: Error): ReactNode;
  /** Returns whether the fields can be submitted; they say themselves why not. */
  canSubmit?(): boolean;
  maw?: number;
  children: ReactNode;
}

type FormDialogProps<Result> = DialogProps &
  Omit<FormProps<Result>, 'onDone' | 'onCancel'> &
  Pick<ModalProps, 'title'>;

/** A dialog with a form, which closes when the server has confirmed what was submitted. A closed dialog forgets its fields. */
export function FormDialog<Result>({ isOpen, onClose, title, ...form }: FormDialogProps<Result>) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <ApiForm {...form} onDone={onClose} onCancel={onClose} />
    </Modal>
  );
}

const nameCharactersMax: (typeof consoleLimits)['nameCharactersMax'] = 100;

/** The first field of a dialog: the name that a person gives the new thing. Its value is `name`. */
export function NameField(
  props: Pick<TextInputProps, 'label' | 'description' | 'placeholder' | 'maxLength'>,
) {
  return <TextInput maxLength={nameCharactersMax} {...props} name="name" required data-autofocus />;
}

/** A form whose values are sent to the server, with its buttons. */
export function ApiForm<Result>(props: FormProps<Result>) {
  const { onSubmit, onDone, done, canSubmit = () => true, maw, children, ...actions } = props;
  const { showError = (cause) => <ApiProblem error={cause} />, ...buttons } = actions;
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (field: (name: string) => string) => {
      const result = await onSubmit(field);
      if (done) void notify({ message: done(result) });
      return result;
    },
    onSuccess: onDone,
  });
  function send(event: FormEvent<HTMLFormElement>) {
    const field = readFields(event);
    if (canSubmit()) mutate(field);
  }
  return (
    <form onSubmit={send}>
      <Stack gap="md" maw={maw}>
        {error && showError(error)}
        {children}
        <FormActions {...buttons} isPending={isPending} />
      </Stack>
    </form>
  );
}

interface FormActionsProps {
  submit: string;
  isPending: boolean;
  /** Whether the form takes something away, so that its button is red. */
  isRemoval?: boolean;
  isDisabled?: boolean;
  /** Closes the dialog of the form; left out for a form of a page. */
  onCancel?(): void;
  beside?: ReactNode;
}

/** The buttons at the end of a form. */
export function FormActions(props: FormActionsProps) {
  const { submit, isPending, isRemoval = false, isDisabled = false, onCancel, beside } = props;
  return (
    <Group justify={onCancel && 'flex-end'} gap="xs">
      {onCancel && (
        <Button variant="default" onClick={onCancel}>
          {partsText.cancel}
        </Button>
      )}
      <Button type="submit" color={isRemoval ? 'red.9' : undefined} loading={isPending} disabled={isDisabled}>
        {submit}
      </Button>
      {beside}
    </Group>
  );
}
