import { ActionIcon, Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlayerPlay } from '@tabler/icons-react';
import { pauseText } from '#strings/pause.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { notify } from '../parts/notify.ts';
import { type Place, useResume } from './control-queries.ts';

const text = pauseText.resume;

interface ResumeButtonProps extends Pick<ButtonProps, 'variant' | 'color'> {
  place: Place;
  /** Whether there is room for an icon only. */
  isIcon?: boolean;
}

/** The button with which an owner ends a pause. */
export function ResumeButton({ place, isIcon = false, ...looks }: ResumeButtonProps) {
  const { mutateAsync } = useResume(place);
  const [isOpen, { open, close }] = useDisclosure(false);
  const label = text.ofPlace(place.name);
  async function resume() {
    await mutateAsync(undefined);
    void notify({ message: text.done });
  }
  return (
    <>
      {isIcon ? (
        <ActionIcon variant="filled" color="red.9" aria-label={label} title={label} onClick={open}>
          <IconPlayerPlay size={16} aria-hidden />
        </ActionIcon>
      ) : (
        <Button size="xs" variant="default" {...looks} aria-label={label} onClick={open}>
          {text.button}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title={text.title(place)}
        message={text.message}
        confirm={text.confirm}
        onConfirm={resume}
        isHarmless
      />
    </>
  );
}
