import { Group, Text } from '@mantine/core';
import { IconMail, IconMailOpened, IconTrash, IconX } from '@tabler/icons-react';
import { threadsText } from '#strings/threads.ts';
import { IconButton } from '../../parts/buttons.tsx';
import { notifyProblem } from '../../parts/notify.ts';
import { LabelMenu } from '../labels/label-menu.tsx';
import { useDeleteThreads } from './delete-threads.ts';
import { useThreadChanges } from './thread-changes.ts';
import type { ThreadSelection } from './use-thread-keys.ts';

const text = threadsText;

/** The actions on the chosen threads. */
export function ChosenBar({ selection }: { selection: ThreadSelection }) {
  const { mark, addLabel, removeLabel } = useThreadChanges();
  const remove = useDeleteThreads();
  const { threads, clear } = selection;
  const markAs = (read: boolean) => {
    mark(threads, read).catch(notifyProblem);
    clear();
  };
  const removeAll = () => {
    remove(threads.map(({ id }) => id));
    clear();
  };
  return (
    <Group
      className="thread-chosen"
      gap={4}
      wrap="nowrap"
      role="toolbar"
      aria-label={text.chosen(threads.length)}
    >
      <IconButton icon={IconX} label={text.clear} onClick={clear} />
      <Text size="sm" fw={500} flex={1} role="status">
        {text.chosen(threads.length)}
      </Text>
      <IconButton icon={IconMailOpened} label={text.markRead} onClick={() => markAs(true)} />
      <IconButton icon={IconMail} label={text.markUnread} onClick={() => markAs(false)} />
      <LabelMenu
        applied={commonLabels(threads.map(({ labels }) => labels))}
        onAdd={(label) => void addLabel(threads, label).catch(notifyProblem)}
        onRemove={(label) => void removeLabel(threads, label).catch(notifyProblem)}
      />
      <IconButton icon={IconTrash} label={text.remove} onClick={removeAll} />
    </Group>
  );
}

function commonLabels<Label extends { id: string }>([first = [], ...others]: readonly Label[][]): Label[] {
  return first.filter(({ id }) => others.every((labels) => labels.some((label) => label.id === id)));
}
