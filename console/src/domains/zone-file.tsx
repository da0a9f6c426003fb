import { Button, Group, Skeleton, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import type { Domain } from 'postrider';
import { domainsText } from '#strings/domains.ts';
import { saveText } from '../lib/save-text.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { useZoneFile } from './domain-queries.ts';

const text = domainsText.zone;

/** The zone file of a domain, to look at, to copy and to download. */
export function ZoneFile({ domain: { id, hostname } }: { domain: Domain }) {
  const [isShown, { open }] = useDisclosure(false);
  const { data, error, refetch } = useZoneFile(id, isShown);
  return (
    <section aria-labelledby="zone">
      <Group justify="space-between" align="flex-end" mb="sm">
        <div>
          <Title order={2} id="zone">
            {text.title}
          </Title>
          <Text c="dimmed">{text.about}</Text>
        </div>
        {data === undefined ? (
          <Button size="xs" variant="default" onClick={open} loading={isShown && !error}>
            {text.show}
          </Button>
        ) : (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => saveText(`${hostname}.zone`, data)}
          >
            {text.download}
          </Button>
        )}
      </Group>
      {error && <ApiProblem error={error} onRetry={() => void refetch()} />}
      {isShown && data === undefined && !error && <Skeleton height={200} />}
      {data !== undefined && <CodeBlock label={`${hostname}.zone`} code={data} />}
    </section>
  );
}
