import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { type Confirmation, ConfirmDialog } from './confirm-dialog.tsx';

interface ConfirmButtonProps
  extends Confirmation,
    Pick<ButtonProps, 'variant' | 'size' | 'color' | 'disabled'> {
  children: ReactNode;
  /** The name of the button for screen readers, if its text alone does not say what it acts on. */
  label?: string;
}

/** A button for something that cannot be undone: it asks first. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { children, label, title, message, confirm, onConfirm, ...button } = props;
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" {...button} aria-label={label} onClick={open}>
        {children}
      </Button>
      <ConfirmDialog isOpen={isOpen} onClose={close} {...{ title, message, confirm, onConfirm }} />
    </>
  );
}
