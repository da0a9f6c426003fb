import { Group, Paper, SimpleGrid, Text, Title, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconDownload, IconFile } from '@tabler/icons-react';
import type { Attachment } from 'postrider';
import { messageText } from '#strings/message.ts';
import { useApi } from '../../lib/api.ts';
import { ownLink } from '../../lib/mail-paths.ts';
import { byteSize } from '../../lib/numbers.ts';
import { notifyProblem } from '../../parts/notify.ts';

const text = messageText.files;
/** Pixel images only. SVG is a document that could load others. */
const rasterTypes = /^image\/(?:png|jpe?g|gif|webp|avif)$/i;
const previewBytesMax = 5 * 1024 * 1024;

/** The files of a message. The link is renewed at each click, because links work for only 15 minutes. */
export function AttachmentList({ attachments }: { attachments: readonly Attachment[] }) {
  const api = useApi();
  return <FileList attachments={attachments} findUrl={async (id) => (await api.attachments.get(id)).url} />;
}

interface FileListProps {
  attachments: readonly Attachment[];
  /** Returns a fresh link to a file. */
  findUrl(id: string): Promise<string>;
}

/** The files of a message, each a button that downloads it. */
export function FileList({ attachments, findUrl }: FileListProps) {
  const title = text.title(attachments.length);
  async function download(id: string) {
    location.assign(ownLink(await findUrl(id)));
  }
  return (
    <section aria-label={title}>
      <Title order={3} mt="md" mb={6}>
        {title}
      </Title>
      <SimpleGrid component="ul" minColWidth="230px" autoFlow="auto-fill" spacing="xs" p={0} m={0}>
        {attachments.map((attachment) => (
          <Paper component="li" withBorder key={attachment.id} className="message-file">
            <UnstyledButton
              w="100%"
              px="sm"
              py={8}
              onClick={() => void download(attachment.id).catch(notifyProblem)}
            >
              <FileFacts attachment={attachment} />
            </UnstyledButton>
          </Paper>
        ))}
      </SimpleGrid>
    </section>
  );
}

function FileFacts({ attachment }: { attachment: Attachment }) {
  const { filename, mime_type, size_bytes } = attachment;
  return (
    <Group gap="sm" wrap="nowrap">
      <FilePicture attachment={attachment} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <VisuallyHidden>{text.download}</VisuallyHidden>
        <Text size="sm" truncate>
          {filename || text.unnamed}
        </Text>
        <Text variant="detail" truncate>
          {mime_type}, {byteSize(size_bytes)}
        </Text>
      </div>
      <IconDownload size={16} aria-hidden />
    </Group>
  );
}

function FilePicture({ attachment: { mime_type, size_bytes, url } }: { attachment: Attachment }) {
  if (!rasterTypes.test(mime_type) || size_bytes > previewBytesMax)
    return <IconFile size={32} stroke={1.25} aria-hidden />;
  return (
    <img
      src={ownLink(url)}
      alt=""
      width={36}
      height={36}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      style={{ borderRadius: 5, objectFit: 'cover' }}
    />
  );
}
