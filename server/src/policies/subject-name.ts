import { type RawBuilder, sql } from 'kysely';

/**
 * Returns the name of what a row of `policies` or `pauses` is about: the address of an inbox, the name of a key or the title of a
 * workspace. It is empty for the server, and null for an inbox that is deleted.
 */
export function subjectName({ workspaceId }: { workspaceId: string }): RawBuilder<string | null> {
  return sql<string | null>`case level
    when 'workspace' then (select w.title from workspaces w where w.id = ${workspaceId})
    when 'inbox' then
      (select i.address from inboxes i where i.workspace_id = ${workspaceId} and i.id = subject_id and i.deleted_at is null)
    when 'key' then
      (select k.name from api_keys k where k.workspace_id = ${workspaceId} and k.id = subject_id)
    else '' end`;
}

/** Returns whether a row of `policies` is about a key that is revoked. */
export function isOfRevokedKey({ workspaceId }: { workspaceId: string }): RawBuilder<boolean> {
  return sql<boolean>`exists (select from api_keys k
    where k.workspace_id = ${workspaceId} and k.id = subject_id and k.revoked_at is not null)`;
}
