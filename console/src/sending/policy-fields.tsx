import './sending.css';
import { Button, Group, Input, SimpleGrid, Stack, Text } from '@mantine/core';
import type { PolicyIn } from '@postrider/contract';
import { IconShieldCheck } from '@tabler/icons-react';
import { policyText } from '#strings/policy.ts';
import { CapField } from './cap-field.tsx';
import { carefulPolicy } from './careful-policy.ts';
import { capLines } from './describe-policy.ts';
import { RecipientsField } from './recipients-field.tsx';
import { SendChoice } from './send-choice.tsx';

interface PolicyFieldsProps {
  value: PolicyIn;
  onChange(lines: PolicyIn): void;
}

/** The lines of a policy: what happens to messages, who may get mail, and the caps. */
export function PolicyFields({ value, onChange }: PolicyFieldsProps) {
  const { send = 'allow', recipients = 'anyone' } = value;
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconShieldCheck size={16} aria-hidden />}
          onClick={() => onChange(carefulPolicy)}
        >
          {policyText.form.careful}
        </Button>
        <Text size="sm" c="dimmed">
          {policyText.form.carefulAbout}
        </Text>
      </Group>
      <SendChoice value={send} onChange={(next) => onChange({ ...value, send: next })} />
      <RecipientsField value={recipients} onChange={(next) => onChange({ ...value, recipients: next })} />
      <Input.Wrapper label={policyText.form.caps} labelElement="div" description={policyText.form.capsAbout}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs" spacing="md">
          {capLines.map((line) => (
            <CapField
              key={line}
              line={line}
              value={value[line] ?? null}
              onChange={(next) => onChange({ ...value, [line]: next })}
            />
          ))}
        </SimpleGrid>
      </Input.Wrapper>
    </Stack>
  );
}
