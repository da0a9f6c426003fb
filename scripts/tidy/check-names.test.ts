import { expect, it } from 'vitest';
import { checkNames } from './check-names.ts';
import { parseSource } from './source-file.ts';

const isFine = (path: string): boolean => checkNames([parseSource(path, '')]).length === 0;

it.each([
  'server/src/outbound/send-message.ts',
  'server/src/messages/message.view.ts',
  'server/src/events/sequence-events.db.test.ts',
  'scripts/sdk-types.ts',
  'vitest.config.ts',
  'contract/src/openapi/json-schema.ts',
])('accepts %s', (path) => {
  expect(isFine(path)).toBe(true);
});

it.each([
  'server/src/lib/utils.ts',
  'server/src/helpers/parse-date.ts',
  'sdk/src/types.ts',
  'server/src/messages/message-service.ts',
  'server/src/messages/message.service.ts',
  'server/src/messages/webhook-handler.ts',
])('refuses %s', (path) => {
  expect(isFine(path)).toBe(false);
});
