import type { Message } from 'postrider';
import { expect, test } from 'vitest';
import { messageText } from './message-view.ts';

const message = { extracted_text: null, body_text: null } as unknown as Message;

test('the text is what is new, and with quotes all of it', () => {
  const reply = { ...message, extracted_text: 'Yes.', body_text: 'Yes.\n\n> Is it red?' };
  expect([messageText(reply, false), messageText(reply, true)]).toEqual(['Yes.', 'Yes.\n\n> Is it red?']);
});

test('a body that only points to the HTML is never the text, since that of the HTML says more', () => {
  const news = {
    ...message,
    extracted_text: 'The new pumps are here. They are quieter, lighter and cheaper than before.',
    body_text: 'View this email in your browser: https://n.example/1',
  };
  expect([messageText(news, false), messageText(news, true)]).toEqual([
    news.extracted_text,
    news.extracted_text,
  ]);
});
