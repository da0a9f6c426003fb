import { Code, Stack, Text } from '@mantine/core';
import type { LoggedRequest } from '@postrider/contract/console';
import { errorMeanings } from '#strings/generated/error-meanings.ts';
import { requestsText } from '#strings/requests.ts';
import { useKeyNames } from '../lib/shared-queries.ts';
import { type Fact, FactList } from '../parts/fact-list.tsx';
import { Time } from '../parts/time.tsx';

const text = requestsText.detail;

/** A request of the log, and if it failed, what that means and what to do. */
export function RequestDetail({ request }: { request: LoggedRequest }) {
  const { id, at, key_id, error, status, duration_ms, skipped } = request;
  const facts: Fact[] = [
    ...(error === null ? [] : explain(error)),
    { name: text.id, value: <Code>{id}</Code>, copy: id },
    { name: text.at, value: <Time value={at} absolute /> },
    { name: text.key, value: <KeyName id={key_id} />, copy: key_id },
    { name: text.duration, value: requestsText.duration(duration_ms) },
  ];
  return (
    <Stack gap="xs">
      {status === 499 && <Text>{text.clientLeft}</Text>}
      {status === 101 && <Text>{text.socket}</Text>}
      <FactList facts={facts} />
      {skipped > 0 && <Text c="dimmed">{text.skipped(skipped)}</Text>}
    </Stack>
  );
}

/** The name of a key, or its id where the name is not known. */
export function KeyName({ id }: { id: string }) {
  const key = useKeyNames().find((one) => one.id === id);
  return key ? <span>{key.name}</span> : <Text c="dimmed">{id}</Text>;
}

function explain(code: string): Fact[] {
  const known = Object.hasOwn(errorMeanings, code) ? errorMeanings[code] : undefined;
  if (!known) return [{ name: text.meaning, value: text.unknownError }];
  const { meaning, message, retry } = known;
  return [
    { name: text.meaning, value: meaning },
    { name: text.remedy, value: message },
    { name: text.repeat, value: text.retry[retry] },
  ];
}
