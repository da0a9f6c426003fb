import { Button, Group } from '@mantine/core';
import { partsText } from '#strings/parts.ts';

interface FormActionsProps {
  /** The words of the button that submits the form. */
  submit: string;
  isPending: boolean;
  isDisabled?: boolean;
  onCancel(): void;
}

/** The buttons at the end of a form in a dialog. */
export function FormActions({ submit, isPending, isDisabled = false, onCancel }: FormActionsProps) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onCancel}>
        {partsText.cancel}
      </Button>
      <Button type="submit" loading={isPending} disabled={isDisabled}>
        {submit}
      </Button>
    </Group>
  );
}
