import type { Db } from '../../../server/src/db/tables.ts';
import { createTimeScale, systemClock } from '../../../server/src/lib/clock.ts';
import { deriveKeys } from '../../../server/src/lib/crypto/primitives.ts';
import { wholeWorkspace } from '../../../server/src/lib/scope.ts';
import { ServerAddress } from '../../../server/src/lib/server-address.ts';
import type { RenderContext } from '../../../server/src/messages/render-events.ts';

/** Returns the context for rendering the events of a workspace, without a server around it. */
export function renderContext(db: Db, workspaceId: string): RenderContext {
  return {
    db,
    memory: new Map(),
    workspaceId,
    scope: wholeWorkspace,
    keys: deriveKeys('x'.repeat(64)),
    address: new ServerAddress({ publicUrl: null, filesUrl: 'http://files.example' }),
    clock: systemClock,
    timeScale: createTimeScale(1),
  };
}
