import { Text } from '@mantine/core';
import { useKeyNames } from '../lib/key-names.ts';

/** The name of a key, or its id where the name is not known. */
export function KeyName({ id }: { id: string }) {
  const key = useKeyNames().find((one) => one.id === id);
  return key ? <span>{key.name}</span> : <Text c="dimmed">{id}</Text>;
}
