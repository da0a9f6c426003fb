import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock, type Snippet } from './code-block.tsx';

interface EmptyStateProps {
  title: string;
  message: ReactNode;
  picture?: PictureName;
  action?: ReactNode;
  snippets?: Snippet[];
}

/** A list without items: what belongs here, and how to create it. */
export function EmptyState({ title, message, picture, action, snippets = [] }: EmptyStateProps) {
  return (
    <Stack gap="md" py="xl" px="md" w="100%" maw={740} mx="auto">
      {picture !== undefined && <Picture name={picture} />}
      <div>
        <Title order={2}>{title}</Title>
        <Text c="dimmed" mt={4} maw={600}>
          {message}
        </Text>
      </div>
      {action !== undefined && <div>{action}</div>}
      {snippets.map((snippet) => (
        <CodeBlock key={snippet.label} {...snippet} />
      ))}
    </Stack>
  );
}

/** Our own drawings for lists without items, by kind of item. */
const drawings = {
  mail: (
    <>
      <path d="M22 26h52a4 4 0 0 1 4 4v30a4 4 0 0 1-4 4H22a4 4 0 0 1-4-4V30a4 4 0 0 1 4-4z" data-paper />
      <path d="m19 29 29 19 29-19" />
      <path d="M4 36h8M2 45h10M6 54h6" data-accent />
      <path d="M62 14c5 0 9 3 10 8M64 8c8 0 14 5 15 13" data-accent />
    </>
  ),
  draft: (
    <>
      <path d="M26 10h32l12 12v40a4 4 0 0 1-4 4H26a4 4 0 0 1-4-4V14a4 4 0 0 1 4-4z" data-paper />
      <path d="M58 10v12h12M31 30h22M31 39h16M31 48h10" />
      <path d="m52 58 2-8 20-20 6 6-20 20z" data-paper data-accent />
    </>
  ),
  search: (
    <>
      <path d="M14 20h40M14 31h22M14 42h18M14 53h26" />
      <circle cx="58" cy="39" r="15" data-paper data-accent />
      <path d="m69 50 12 12M51 39h14M51 34h9" data-accent />
    </>
  ),
  label: (
    <>
      <path d="M20 20h26l28 28-20 20-34-34z" data-paper />
      <circle cx="31" cy="31" r="4" data-accent />
      <path d="m47 41 11 11M40 48l7 7" />
      <path d="M54 12h14l12 12" data-accent />
    </>
  ),
  done: (
    <>
      <circle cx="48" cy="38" r="26" data-paper />
      <path d="m36 39 9 9 17-19" data-accent />
      <path d="M8 38h6M82 38h6M48 2v4M48 70v4" />
    </>
  ),
  people: (
    <>
      <circle cx="38" cy="28" r="11" data-paper />
      <path d="M16 64c0-13 9-21 22-21s22 8 22 21z" data-paper />
      <path d="M62 18a10 10 0 0 1 0 19M68 45c8 3 13 10 13 19" data-accent />
    </>
  ),
  plug: (
    <>
      <path d="M10 38h18M68 38h18" data-accent />
      <path d="M28 26h16v24H28a8 8 0 0 1-8-8v-8a8 8 0 0 1 8-8z" data-paper />
      <path d="M52 26h16a8 8 0 0 1 8 8v8a8 8 0 0 1-8 8H52z" data-paper />
      <path d="M44 33h8M44 43h8" />
    </>
  ),
} satisfies Record<string, ReactNode>;

/** The name of a drawing. */
export type PictureName = keyof typeof drawings;

/** A small drawing for a list without items. It is only decoration: the words next to it say everything. */
export function Picture({ name }: { name: PictureName }) {
  return (
    <svg viewBox="0 0 96 76" width={96} height={76} aria-hidden className="console-picture">
      {drawings[name]}
    </svg>
  );
}
