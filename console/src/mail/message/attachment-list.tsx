import { IconDownload, IconFile } from '@tabler/icons-react';
import type { Attachment } from 'postrider';
import { messageText } from '#strings/message.ts';
import { useApi } from '../../lib/api.ts';
import { byteSize } from '../../lib/byte-size.ts';
import { ownLink } from '../../lib/own-link.ts';
import { notifyProblem } from '../../parts/notify-problem.ts';

const text = messageText.files;
/** Pictures made of pixels. SVG is a document that could load others. */
const rasterTypes = /^image\/(?:png|jpe?g|gif|webp|avif)$/i;
const previewBytesMax = 5 * 1024 * 1024;

/** The files of a message. A link that is clicked is made anew, because links work for 15 minutes only. */
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
  async function download(id: string) {
    location.assign(ownLink(await findUrl(id)));
  }
  return (
    <section className="message-files" aria-label={text.title(attachments.length)}>
      <h3>{text.title(attachments.length)}</h3>
      <ul>
        {attachments.map((attachment) => {
          const name = attachment.filename || text.unnamed;
          return (
            <li key={attachment.id}>
              <button
                type="button"
                className="message-file"
                onClick={() => void download(attachment.id).catch(notifyProblem)}
              >
                <FilePicture attachment={attachment} />
                <span className="mail-hidden">{text.download}</span>
                <span className="message-file-text">
                  <span className="message-file-name">{name}</span>
                  <span className="message-file-type">
                    {attachment.mime_type}, {byteSize(attachment.size_bytes)}
                  </span>
                </span>
                <IconDownload size={16} aria-hidden />
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function FilePicture({ attachment: { mime_type, size_bytes, url } }: { attachment: Attachment }) {
  if (!rasterTypes.test(mime_type) || size_bytes > previewBytesMax)
    return <IconFile size={32} stroke={1.25} aria-hidden className="message-file-icon" />;
  return (
    <img
      src={ownLink(url)}
      alt=""
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      className="message-file-image"
    />
  );
}
