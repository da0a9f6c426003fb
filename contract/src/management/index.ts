/*
 * The contract of the management API, below `/manage/v1`: what people do in the console, for their programs. Routes, bodies and responses
 * are those of the console and of the API.
 */
import { initContract } from '@ts-rest/core';
import {
  approvals,
  control,
  domains,
  keys,
  people,
  usage,
  webhooks,
  workspace,
  workspaces,
} from './routes.ts';

/** The path below which the management API is. */
export const managementPath = '/manage/v1';

/** All routes of the management API by resource and method, under the names that the client uses. */
export const managementContract = initContract().router(
  { keys, control, approvals, people, webhooks, domains, usage, workspace, workspaces },
  { pathPrefix: managementPath, strictStatusCodes: true },
);

export * from './managed.ts';
export * from './workspaces.ts';
