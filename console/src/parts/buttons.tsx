import {
  ActionIcon,
  type ActionIconProps,
  Button,
  type ButtonProps,
  createPolymorphicComponent,
} from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Notice } from './notices.tsx';
import { notify, notifyProblem } from './notify.ts';

interface IconButtonProps extends ActionIconProps {
  icon: Icon;
  /** The name of the button, which also appears under the mouse unless there is another `title`. */
  label: string;
  title?: string;
  iconSize?: number;
}

/** A button with an icon instead of words. */
export const IconButton = createPolymorphicComponent<'button', IconButtonProps>((props: IconButtonProps) => {
  const { icon: Picture, label, title = label, iconSize = 16, ...button } = props;
  return (
    <ActionIcon aria-label={label} title={title} {...button}>
      <Picture size={iconSize} aria-hidden />
    </ActionIcon>
  );
});

interface ActionButtonProps extends Pick<ButtonProps, 'size' | 'variant' | 'leftSection'> {
  children: ReactNode;
  /** Does it, and returns the notice that says how it went, if there is one. */
  onAct(): Promise<Notice | undefined>;
}

/** A button that does something at once. If that fails, the corner says so. */
export function ActionButton({ onAct, ...button }: ActionButtonProps) {
  // The action may take the button off the page, and callbacks given to `mutate` end with the button.
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const notice = await onAct();
      if (notice) void notify(notice);
    },
    onError: notifyProblem,
  });
  return <Button size="xs" variant="default" {...button} loading={isPending} onClick={() => mutate()} />;
}
