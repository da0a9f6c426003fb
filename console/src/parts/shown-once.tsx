import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { partsText } from '#strings/parts.ts';
import { CodeBlock } from './code-block.tsx';
import type { DialogProps } from './form-dialog.tsx';

interface CreateOnceProps<Created> extends DialogProps {
  title: string;
  doneTitle: string;
  form(onCreated: (created: Created) => void): ReactNode;
  children(created: Created): ReactNode;
}

/** A dialog that creates something and then shows its secret. A click next to it, or Escape, must not lose the secret. */
export function CreateOnce<Created>(props: CreateOnceProps<Created>) {
  const { isOpen, onClose, title, doneTitle, form, children } = props;
  const [created, setCreated] = useState<Created | null>(null);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size="lg"
      title={created === null ? title : doneTitle}
      closeOnClickOutside={created === null}
      closeOnEscape={created === null}
      onExitTransitionEnd={() => setCreated(null)}
    >
      {created === null ? form(setCreated) : children(created)}
    </Modal>
  );
}

interface ShownOnceProps {
  label: string;
  secret: string;
  /** Shown in place of the note that the secret is not shown again. */
  note?: ReactNode;
  children?: ReactNode;
  onClose(): void;
}

/** A secret that is shown this once. */
export function ShownOnce({ label, secret, note, children, onClose }: ShownOnceProps) {
  return (
    <Stack gap="md">
      {note ?? (
        <Alert color="pine" role="status">
          {partsText.shownOnce}
        </Alert>
      )}
      <CodeBlock label={label} code={secret} />
      {children}
      <Group justify="flex-end">
        <Button onClick={onClose}>{partsText.done}</Button>
      </Group>
    </Stack>
  );
}
