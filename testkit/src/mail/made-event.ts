import type { EventRow } from '../../../server/src/events/read-log.ts';
import { newId } from '../../../server/src/lib/ids.ts';

/** Creates an event of the log that is in no database. */
export function makeEvent(workspaceId: string, fields: Partial<EventRow> = {}): EventRow {
  return {
    workspace_id: workspaceId,
    id: newId('evt'),
    event: 'message.received',
    inbox_id: newId('inb'),
    thread_id: newId('thr'),
    message_id: newId('msg'),
    extra: {},
    created_at: new Date(),
    insertion: 1,
    position: 1,
    ...fields,
  };
}
