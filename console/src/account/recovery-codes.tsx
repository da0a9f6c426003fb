import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { accountText } from '#strings/account.ts';
import { saveText } from '../lib/save-text.ts';
import { useSession } from '../lib/session.ts';
import { CodeBlock } from '../parts/code-block.tsx';

const text = accountText.secondFactor;

/** The recovery codes, which can be read only now. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const { email } = useSession().person;
  const file = [text.fileHead(email), '', ...codes, ''].join('\n');
  return (
    <Stack gap="md">
      <Text>{text.codesHelp}</Text>
      <CodeBlock label={text.codes} code={codes.join('\n')} />
      <Group justify="flex-end" gap="xs">
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveText(text.fileName, file)}
        >
          {text.download}
        </Button>
        <Button onClick={onClose}>{text.done}</Button>
      </Group>
    </Stack>
  );
}
