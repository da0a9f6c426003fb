import { describe, expect, it } from 'vitest';
import { ReadMessages } from './read-messages.ts';

describe('the messages that were read', () => {
  it('are those of an answer and of its list, and nothing else', () => {
    const read = new ReadMessages();
    for (const data of [undefined, null, 'msg_0', [], { id: 7, messages: 'msg_0' }, { messages: [null, {}] }])
      read.note(data);
    read.note({ id: 'thr_1', messages: [{ id: 'msg_1' }, { id: 'msg_2' }] });
    read.note({ id: 'msg_3' });
    const wasRead = read.upToNow();
    expect(['thr_1', 'msg_0', 'msg_1', 'msg_2', 'msg_3'].filter(wasRead)).toEqual([
      'msg_1',
      'msg_2',
      'msg_3',
    ]);
  });

  it('are those that were read by then, also when one is read again', () => {
    const read = new ReadMessages();
    read.note({ id: 'msg_1' });
    const wasRead = read.upToNow();
    read.note({ messages: [{ id: 'msg_1' }, { id: 'msg_2' }] });
    expect([wasRead('msg_1'), wasRead('msg_2'), read.upToNow()('msg_2')]).toEqual([true, false, true]);
  });

  it('are forgotten when there are too many', () => {
    const read = new ReadMessages();
    for (let index = 0; index < 5_000; index++) read.note({ id: `msg_${index}` });
    const wasRead = read.upToNow();
    expect([wasRead('msg_3999'), wasRead('msg_4000'), wasRead('msg_4999')]).toEqual([false, true, true]);
  });
});
