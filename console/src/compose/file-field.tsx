import { ActionIcon, Alert, Button, Group, Progress, Text } from '@mantine/core';
import type { limits } from '@postrider/contract';
import { IconPaperclip, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { composeText } from '#strings/compose.ts';
import { byteSize } from '../lib/numbers.ts';
import { addedFile, type DraftFile } from './draft-fields.ts';

const bytesMax: (typeof limits)['attachmentBytesMax'] = 7_340_032;
const filesMax: (typeof limits)['attachmentsMax'] = 100;
const text = composeText.files;

interface FileFieldProps {
  files: DraftFile[];
  onChange(files: DraftFile[]): void;
  /** Whether the files are on their way to the server. */
  isSaving: boolean;
  refusal: string | null;
}

/** The files of a message: their sizes, and how much of the limit they take. */
export function FileField({ files, onChange, isSaving, refusal }: FileFieldProps) {
  const total = totalBytes(files);
  return (
    <div>
      {refusal !== null && (
        <Alert color="red" role="alert" p="xs" mb="xs">
          {refusal}
        </Alert>
      )}
      {files.length > 0 && (
        <>
          <Group component="ul" gap={6} m={0} p={0} style={{ listStyle: 'none' }} aria-label={text.label}>
            {files.map((file) => (
              <Group component="li" key={file.id} className="console-file" gap={6} wrap="nowrap" maw="100%">
                <IconPaperclip size={14} aria-hidden />
                <Text span inherit truncate>
                  {file.name}
                </Text>
                <Text span variant="detail">
                  {byteSize(file.bytes)}
                </Text>
                <ActionIcon
                  size="xs"
                  aria-label={text.remove(file.name)}
                  onClick={() => onChange(files.filter(({ id }) => id !== file.id))}
                >
                  <IconX size={12} aria-hidden />
                </ActionIcon>
              </Group>
            ))}
          </Group>
          <Group gap="xs" mt={6}>
            <Progress
              value={(100 * total) / bytesMax}
              size="sm"
              w={120}
              animated={isSaving}
              aria-label={text.total(byteSize(total), byteSize(bytesMax))}
            />
            <Text variant="detail" role="status">
              {isSaving ? text.saving : text.total(byteSize(total), byteSize(bytesMax))}
            </Text>
          </Group>
        </>
      )}
    </div>
  );
}

/** The button that attaches files. */
export function AttachButton({ onFiles }: { onFiles(files: File[]): void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPaperclip size={16} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        {text.add}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={text.add}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}

/** Returns a function that adds files as far as they fit, and why some did not. */
export function useAddFiles(files: DraftFile[], onChange: (files: DraftFile[]) => void) {
  const [refusal, setRefusal] = useState<string | null>(null);
  function add(added: File[]) {
    const fitting = [...files];
    const left: string[] = [];
    for (const file of added) {
      if (totalBytes(fitting) + file.size > bytesMax) left.push(file.name);
      else fitting.push(addedFile(file));
    }
    if (fitting.length > filesMax) return setRefusal(text.tooMany(filesMax));
    setRefusal(left.length === 0 ? null : text.tooLarge(left.join(', '), byteSize(bytesMax)));
    if (fitting.length > files.length) onChange(fitting);
  }
  return { add, refusal };
}

function totalBytes(files: readonly DraftFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
