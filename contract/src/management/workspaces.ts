/* Workspaces, for tokens of the operator alone. */
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { consoleLimits, nameField } from '../console/fields.ts';
import { about, idField, NextCursor, pageQuery, pathId, timestamp } from '../fields/scalars.ts';
import { Plan } from '../limits.ts';

const c = initContract();

/** A workspace as the operator manages it. */
export const ManagedWorkspace = z
  .object({
    id: idField('workspace', 'The workspace.'),
    name: z.string().meta(about('The unique name that the operator uses.', 'customer-17')),
    title: z.string().meta(about('The title that its owners chose; by default the name.', 'Acme')),
    plan: Plan,
    test: z.boolean().meta(about('Whether the mail of the workspace always stays on this server.', false)),
    created_at: timestamp('When it was created.'),
  })
  .meta({ id: 'ManagedWorkspace', description: 'A workspace as the operator manages it.' });
export type ManagedWorkspace = z.infer<typeof ManagedWorkspace>;

const Name = nameField(consoleLimits.nameCharactersMax).meta(about('The name. It is unique.', 'customer-17'));

/** Body of `workspaces.create`. */
export const CreateWorkspace = z
  .strictObject({
    name: Name,
    plan: Plan.default('business').meta({ description: 'By default `business`.' }),
    test: z
      .boolean()
      .default(false)
      .meta(about('Whether the mail of the workspace always stays on this server.', false)),
  })
  .meta({ id: 'CreateWorkspace' });
export type CreateWorkspace = z.infer<typeof CreateWorkspace>;

/** Body of `workspaces.update`. */
export const UpdateWorkspace = z
  .strictObject({ name: Name, plan: Plan })
  .partial()
  .meta({ id: 'UpdateWorkspace' });
export type UpdateWorkspace = z.infer<typeof UpdateWorkspace>;

/** A page of workspaces. */
export const WorkspacePage = z
  .object({ workspaces: z.array(ManagedWorkspace), next_cursor: NextCursor })
  .meta({ id: 'WorkspacePage', description: 'Workspaces, newest first.' });
export type WorkspacePage = z.infer<typeof WorkspacePage>;

/** Query of `workspaces.list`. */
export const ListWorkspaces = z.strictObject(pageQuery);
export type ListWorkspaces = z.infer<typeof ListWorkspaces>;

const pathParams = pathId('workspace', 'The workspace.');

/** Routes of workspaces. */
export const workspaces = c.router({
  list: {
    method: 'GET',
    path: '/workspaces',
    query: ListWorkspaces,
    responses: { 200: WorkspacePage },
  },
  /** A workspace of this name that is there already is the response, with 200 and unchanged. */
  create: {
    method: 'POST',
    path: '/workspaces',
    body: CreateWorkspace,
    responses: { 200: ManagedWorkspace, 201: ManagedWorkspace },
  },
  get: {
    method: 'GET',
    path: '/workspaces/:id',
    pathParams,
    responses: { 200: ManagedWorkspace },
  },
  update: {
    method: 'PATCH',
    path: '/workspaces/:id',
    pathParams,
    body: UpdateWorkspace,
    responses: { 200: ManagedWorkspace },
  },
  delete: {
    method: 'DELETE',
    path: '/workspaces/:id',
    pathParams,
    responses: { 204: c.noBody() },
  },
});
