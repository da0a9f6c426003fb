import { getDocumentProxy } from 'unpdf';
import {
  collectText,
  type FileText,
  fileLimits,
  type TextCollector,
  withoutText,
  withText,
} from './file-text.ts';

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Nothing of a file is run, rendered or fetched, and a damaged part does not end the reading. */
const options = {
  isEvalSupported: false,
  disableFontFace: true,
  useSystemFonts: false,
  stopAtErrors: false,
  enableXfa: false,
  verbosity: 0,
} as const;

/** Returns the text of a PDF, page by page until there is enough. Pages that cannot be read are left out. */
export async function readPdf(bytes: Buffer): Promise<FileText> {
  let document: Document;
  try {
    // The library takes over the memory of its input.
    document = await getDocumentProxy(new Uint8Array(bytes), options);
  } catch (error) {
    return withoutText(errorName(error) === 'PasswordException' ? 'unsupported' : 'failed');
  }
  try {
    return await readPages(document);
  } finally {
    await document.loadingTask.destroy();
  }
}

async function readPages(document: Document): Promise<FileText> {
  const collector = collectText();
  let failures = 0;
  const pages = Math.min(document.numPages, fileLimits.pagesMax);
  for (let number = 1; number <= pages && !collector.isFull(); number += 1) {
    try {
      await readPage(document, number, collector);
    } catch {
      failures += 1;
    }
  }
  const read = withText(collector.text());
  return read.status === 'empty' && failures > 0 ? withoutText('failed') : read;
}

/** Adds the text of a page as it is found, so that a page with millions of words costs no more than the first of them. */
async function readPage(document: Document, number: number, collector: TextCollector): Promise<void> {
  const page = await document.getPage(number);
  const reader = page.streamTextContent({ includeMarkedContent: false }).getReader();
  while (!collector.isFull()) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const item of value.items)
      collector.add('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '');
  }
  await reader.cancel().catch(() => {});
  collector.add('\n');
  page.cleanup();
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : '';
}
