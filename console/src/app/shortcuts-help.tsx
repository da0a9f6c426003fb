import { Group, Kbd, Modal, Stack, Text, Title } from '@mantine/core';
import { appText } from '#strings/app.ts';
import { commandDialog } from '../lib/shortcuts.ts';
import { useListedPages } from './navigation.ts';

const text = appText.shortcuts;

const general: Shortcut[] = [
  ['mod+k', text.palette],
  ['?', text.help],
  ['c', text.compose],
  ['/', text.search],
];
const lists: Shortcut[] = [
  ['j', text.down],
  ['k', text.up],
  ['Enter', text.open],
  ['x', text.choose],
  ['u', text.unread],
  ['#', text.remove],
  ['r', text.reply],
];

const approval: Shortcut[] = [
  ['mod+Enter', text.approve],
  ['r', text.refuse],
];

type Shortcut = [keys: string, name: string];

/** The dialog with all keyboard shortcuts. */
export function ShortcutsHelp() {
  const isOpen = commandDialog.useValue() === 'help';
  const goTo = useListedPages().flatMap(({ entry: { name, shortcut } }): Shortcut[] =>
    shortcut === undefined ? [] : [[shortcut, name]],
  );
  return (
    <Modal opened={isOpen} onClose={() => commandDialog.set(null)} title={text.title}>
      <Stack gap="md">
        <ShortcutGroup name={text.general} shortcuts={general} />
        <ShortcutGroup name={text.goTo} shortcuts={goTo} />
        <ShortcutGroup name={text.lists} shortcuts={lists} />
        <ShortcutGroup name={text.approval} shortcuts={approval} />
      </Stack>
    </Modal>
  );
}

function ShortcutGroup({ name, shortcuts }: { name: string; shortcuts: Shortcut[] }) {
  if (shortcuts.length === 0) return null;
  return (
    <section>
      <Title order={3} mb={6}>
        {name}
      </Title>
      <Stack gap={6}>
        {shortcuts.map(([keys, meaning]) => (
          <Group key={keys} justify="space-between">
            <Text>{meaning}</Text>
            <Keys keys={keys} />
          </Group>
        ))}
      </Stack>
    </section>
  );
}

function Keys({ keys }: { keys: string }) {
  const [first = '', second] = keys.split(' ');
  return (
    <Group gap={4}>
      <Kbd>{first.replace('mod+k', 'Ctrl K').replace('mod+Enter', 'Ctrl Enter')}</Kbd>
      {second !== undefined && (
        <>
          <Text variant="detail">{text.between}</Text>
          <Kbd>{second}</Kbd>
        </>
      )}
    </Group>
  );
}
