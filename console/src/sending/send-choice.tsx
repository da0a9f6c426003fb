import { Group, Radio, Text } from '@mantine/core';
import type { SendMode } from '@postrider/contract';
import { IconSend, IconSendOff, IconUserCheck } from '@tabler/icons-react';
import { policyText } from '#strings/policy.ts';

const icons = { allow: IconSend, approve: IconUserCheck, never: IconSendOff };
const modes = ['allow', 'approve', 'never'] as const;
const { name, about } = policyText.lines.send;

interface SendChoiceProps {
  value: SendMode;
  onChange(value: SendMode): void;
}

/** The treatment of messages, as three large choices. */
export function SendChoice({ value, onChange }: SendChoiceProps) {
  return (
    <Radio.Group
      label={name}
      description={about}
      value={value}
      onChange={(next) => onChange(next as SendMode)}
    >
      <div className="sending-modes">
        {modes.map((mode) => {
          const Icon = icons[mode];
          const text = policyText.modes[mode];
          return (
            <Radio.Card key={mode} value={mode} p="md" className="sending-mode" data-mode={mode}>
              <Group gap="xs" wrap="nowrap" mb={4}>
                <Icon size={20} aria-hidden />
                <Text fw={600} flex={1}>
                  {text.name}
                </Text>
                <Radio.Indicator size="sm" />
              </Group>
              <Text size="sm" c="dimmed">
                {text.about}
              </Text>
            </Radio.Card>
          );
        })}
      </div>
    </Radio.Group>
  );
}
