import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { partsText } from '#strings/parts.ts';
import { useIsOwner } from '../lib/workspace.ts';

/** Buttons for owners. A member sees why they are not there, unless `quiet`, which is for the rows of a list. */
export function OwnersOnly({ children, quiet = false }: { children: ReactNode; quiet?: boolean }) {
  if (useIsOwner()) return children;
  return quiet ? null : <Text variant="note">{partsText.ownersOnly}</Text>;
}
