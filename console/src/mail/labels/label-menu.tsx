import { Menu, ScrollArea, TextInput } from '@mantine/core';
import { IconCheck, IconTag } from '@tabler/icons-react';
import type { AppliedLabel } from 'postrider';
import { useState } from 'react';
import { Link } from 'react-router';
import { labelsText } from '#strings/labels.ts';
import { useLabels } from '../../lib/shared-queries.ts';
import { IconButton } from '../../parts/buttons.tsx';
import { LabelDot } from './label-chip.tsx';

interface LabelMenuProps {
  /** The labels that are there. A click takes them off. */
  applied: readonly Pick<AppliedLabel, 'id'>[];
  onAdd(label: AppliedLabel): void;
  onRemove(label: AppliedLabel): void;
}

/** A menu of all labels, to put on and take off. */
export function LabelMenu({ applied, onAdd, onRemove }: LabelMenuProps) {
  const labels = useLabels().items;
  const [part, setPart] = useState('');
  const found = labels.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()));
  return (
    <Menu position="bottom-end" width={240} closeOnItemClick={false} onClose={() => setPart('')}>
      <Menu.Target>
        <IconButton icon={IconTag} label={labelsText.change} />
      </Menu.Target>
      <Menu.Dropdown>
        {labels.length > 8 && (
          <TextInput
            size="xs"
            m={4}
            value={part}
            aria-label={labelsText.find}
            placeholder={labelsText.find}
            onChange={({ currentTarget }) => setPart(currentTarget.value)}
          />
        )}
        <ScrollArea.Autosize mah={280}>
          {found.map((label) => {
            const isOn = applied.some(({ id }) => id === label.id);
            return (
              <Menu.Item
                key={label.id}
                role="menuitemcheckbox"
                aria-checked={isOn}
                leftSection={<LabelDot color={label.color} />}
                rightSection={isOn && <IconCheck size={14} aria-hidden />}
                onClick={() => (isOn ? onRemove(label) : onAdd(label))}
              >
                {label.name}
              </Menu.Item>
            );
          })}
        </ScrollArea.Autosize>
        {found.length > 0 && <Menu.Divider />}
        <Menu.Item component={Link} to="/labels" closeMenuOnClick>
          {labelsText.manage}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
