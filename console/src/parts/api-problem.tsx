import { Alert, Button, Code, Group, type GroupProps, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { partsText } from '#strings/parts.ts';
import { problemText } from '#strings/problem.ts';
import { describeProblem } from '../lib/problem.ts';
import { CopyButton } from './copy-button.tsx';

interface ApiProblemProps {
  error: unknown;
  /** Does again what failed. It is offered only where that may help. */
  onRetry?: (() => void) | undefined;
  /** Clears the filters of a list, which may be the reason for the refusal. */
  onClear?: (() => void) | undefined;
}

/** A failure: what it is, what to do, and the id of the request for the operator of the server. */
export function ApiProblem({ error, onRetry, onClear }: ApiProblemProps) {
  const { title, message, issues, requestId, mayRetry } = describeProblem(error);
  return (
    <Alert role="alert" color="red" title={title} icon={<IconAlertTriangle aria-hidden />}>
      <Text>{message}</Text>
      {issues.length > 0 && (
        <List mt={4} size="sm">
          {issues.map((issue) => (
            <List.Item key={`${issue.path} ${issue.message}`}>
              {issue.path !== '' && <Code>{issue.path}</Code>} {issue.message}
            </List.Item>
          ))}
        </List>
      )}
      <Group gap="xs" mt="xs">
        {onRetry && mayRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {problemText.retry}
          </Button>
        )}
        {onClear && !mayRetry && (
          <Button size="xs" variant="default" onClick={onClear}>
            {partsText.clearFilters}
          </Button>
        )}
        {requestId !== null && <RequestId id={requestId} />}
      </Group>
    </Alert>
  );
}

/** The id of a request that failed, for the operator of the server. */
export function RequestId({ id, ...place }: { id: string } & Pick<GroupProps, 'mt'>) {
  return (
    <Group gap={2} {...place}>
      <Text variant="detail">
        {problemText.request} <Code>{id}</Code>
      </Text>
      <CopyButton value={id} label={problemText.copyRequest} size="xs" />
    </Group>
  );
}
