import type { Attachment } from 'postrider';
import type { CallContext } from '../context.ts';
import { ToolError } from '../tool-error.ts';

const textTypes =
  /^(?:text\/(?!html)|application\/(?:json|xml|x-ndjson|yaml|x-yaml|csv|sql|rtf|javascript)|[a-z]+\/[a-z.-]+\+json)/i;
const textNames = /\.(?:txt|md|csv|tsv|json|ndjson|xml|ya?ml|log|ics|vcf|ini|toml|eml|diff|patch)$/i;
const bytesMax = 2 * 1_024 * 1_024;

/**
 * Returns the text of a file of a mail.
 *
 * @throws ToolError `unsupported_file` if it is not text, or too large to read.
 */
export async function readFileText({ client, signal }: CallContext, file: Attachment): Promise<string> {
  if (!textTypes.test(file.mime_type) && !textNames.test(file.filename))
    throw unsupported(
      'It is not a text file.',
      'Search finds words in PDF and Office files: use search_messages.',
    );
  if (file.size_bytes > bytesMax)
    throw unsupported(`It has ${file.size_bytes} bytes.`, 'Ask the person to open it.');
  const bytes = await client.attachments.download(file, { signal });
  return decode(bytes, /charset="?([\w-]+)/i.exec(file.mime_type)?.[1]);
}

function decode(bytes: Uint8Array, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function unsupported(problem: string, next: string): ToolError {
  return new ToolError('unsupported_file', `The file cannot be read here. ${problem}`, next);
}
