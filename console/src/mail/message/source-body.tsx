import { Box, Button, Skeleton, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { messageText } from '#strings/message.ts';
import { ownLink } from '../../lib/mail-paths.ts';
import { byteSize } from '../../lib/numbers.ts';
import { type Reader, useRead } from '../../lib/query.ts';
import { ApiProblem } from '../../parts/api-problem.tsx';
import { readHeaders } from './read-mail.ts';

const text = messageText.body;
const shownBytes = 200 * 1024;
/** The link to a source works for 15 minutes. */
const freshMs = 10 * 60_000;

/** The header fields of a message, as they are in its source. */
export function HeadersBody({ messageId }: { messageId: string }) {
  return (
    <WithSource messageId={messageId}>
      {({ beginning }) => (
        <table className="message-headers" aria-label={text.headers}>
          <tbody>
            {readHeaders(beginning).map(({ place, name, value }) => (
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
      {({ beginning, link, sizeBytes }) => (
        <>
          <Button
            component="a"
            href={link}
            download={`${messageId}.eml`}
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            {text.download}
          </Button>
          {sizeBytes > shownBytes && (
            <Text variant="detail" mt="xs">
              {text.sourceCut(byteSize(shownBytes), byteSize(sizeBytes))}
            </Text>
          )}
          <Box component="pre" className="message-source" tabIndex={0} role="region" aria-label={text.raw}>
            {beginning}
          </Box>
        </>
      )}
    </WithSource>
  );
}

type Source = Awaited<ReturnType<typeof readSource>>;

function WithSource(props: { messageId: string; children(source: Source): ReactNode }) {
  const { messageId, children } = props;
  const { data, error, refetch } = useRead(['source', messageId], (reader) => readSource(reader, messageId), {
    staleTime: freshMs,
  });
  if (data !== undefined) return children(data);
  return error ? <ApiProblem error={error} onRetry={() => void refetch()} /> : <Skeleton height={240} />;
}

async function readSource({ api, signal }: Reader, id: string) {
  const { url, size_bytes: sizeBytes } = await api.messages.raw(id, { signal });
  const link = ownLink(url);
  const response = await fetch(link, { signal, headers: { range: `bytes=0-${shownBytes - 1}` } });
  if (!response.ok && response.status !== 416)
    throw new Error(`The request for the source was answered with ${response.status}.`);
  return { beginning: response.ok ? await response.text() : '', link, sizeBytes };
}
