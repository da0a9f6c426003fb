import type { Db } from '../../src/db/database.ts';
import { createTimeScale, systemClock } from '../../src/lib/clock.ts';
import { deriveKeys } from '../../src/lib/secrets.ts';
import type { RenderContext } from '../../src/messages/render/render-events.ts';

/** What events of a workspace are rendered with, without a server around it. */
export const renderContext = (db: Db, workspaceId: string): RenderContext => ({
  db,
  workspaceId,
  keys: deriveKeys('x'.repeat(64)),
  filesUrl: 'http://files.example',
  clock: systemClock,
  timeScale: createTimeScale(1),
});
