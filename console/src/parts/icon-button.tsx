import { ActionIcon, type ActionIconProps, createPolymorphicComponent } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

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
