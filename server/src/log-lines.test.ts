import { beforeAll, expect, test } from 'vitest';
import { readableLines } from './logger.ts';

let toText: (line: string) => string;
beforeAll(async () => {
  toText = await readableLines({ colorize: false });
});

const line = (fields: object) =>
  `${JSON.stringify({ level: 30, time: 0, pid: 1, hostname: 'h', ...fields })}\n`;

test('a request is one line', () => {
  const request = { requestId: 'req_1', method: 'GET', route: '/v1/inboxes', status: 401, durationMs: 3 };
  expect(toText(line({ ...request, error: 'invalid_token', msg: 'request' }))).toMatch(
    /^\[[\d:.]+\] INFO: GET \/v1\/inboxes 401 invalid_token in 3 ms \{"requestId":"req_1"\}\n$/,
  );
  expect(toText(line({ ...request, aborted: true, msg: 'request' }))).toMatch(
    /INFO: GET \/v1\/inboxes 401 in 3 ms \{"requestId":"req_1","aborted":true\}\n$/,
  );
});

test('anything else is one line too, with all that it says, and an error has its stack behind it', () => {
  expect(toText(line({ status: 'sent', recipient: 'a@b.example', msg: 'delivered' }))).toMatch(
    /^\[[\d:.]+\] INFO: delivered \{"status":"sent","recipient":"a@b.example"\}\n$/,
  );
  const err = { type: 'Error', message: 'broken', stack: 'Error: broken\n    at file.ts:1:1' };
  const text = toText(line({ err, msg: 'a request failed' }));
  expect(text).toContain('INFO: a request failed');
  expect(text).toContain('broken');
});
