import { Box, Button, Skeleton, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { messageText } from '#strings/message.ts';
import { byteSize } from '../../lib/numbers.ts';
import { ApiProblem } from '../../parts/api-problem.tsx';
import { type Source, sourceShownBytes, useSource } from './message-queries.ts';
import { readHeaders } from './read-headers.ts';

const text = messageText.body;

/** The header fields of a message, as they are in its source. */
export function HeadersBody({ messageId }: { messageId: string }) {
  return (
    <WithSource messageId={messageId}>
      {({ text: source }) => (
        <table className="message-headers" aria-label={text.headers}>
          <tbody>
            {readHeaders(source).map(({ place, name, value }) => (
              <tr key={place}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </WithSource>
  );
}

/** The source of a message, and a button to download all of it. */
export function SourceBody({ messageId }: { messageId: string }) {
  return (
    <WithSource messageId={messageId}>
      {(source) => (
        <>
          <Button
            component="a"
            href={source.link}
            download={`${messageId}.eml`}
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            {text.download}
          </Button>
          {source.isCut && (
            <Text size="xs" c="dimmed" mt="xs">
              {text.sourceCut(byteSize(sourceShownBytes), byteSize(source.sizeBytes))}
            </Text>
          )}
          <Box component="pre" className="message-source" tabIndex={0} role="region" aria-label={text.raw}>
            {source.text}
          </Box>
        </>
      )}
    </WithSource>
  );
}

function WithSource(props: { messageId: string; children(source: Source): ReactNode }) {
  const { data, error, refetch } = useSource(props.messageId);
  if (data !== undefined) return props.children(data);
  return error ? <ApiProblem error={error} onRetry={() => void refetch()} /> : <Skeleton height={240} />;
}
