import { consoleContract } from '@postrider/contract/console';
import type { Deps } from '../deps.ts';
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from '../people/factors/passkeys.ts';
import { requirePassword } from '../people/factors/password.ts';
import { beginPasskeySignIn, signInByPasskey } from '../people/factors/sign-in-by-passkey.ts';
import { defineRoutes } from '../routes.ts';
import { beginSession } from './begin-session.ts';
import { siteOf } from './refuse-foreign.ts';
import { deviceOf, personOf } from './signed-in.ts';

/** Handlers of passkeys. Signing in with one needs no session. */
export function passkeysRoutes(deps: Deps) {
  return defineRoutes(consoleContract.passkeys, {
    signInOptions: async ({ req }) => ({ status: 200, body: await beginPasskeySignIn(deps, siteOf(req)) }),
    signIn: async ({ req, res, body }) =>
      beginSession(deps, req, res, await signInByPasskey(deps, siteOf(req), body, deviceOf(req))),
    list: async ({ res }) => ({ status: 200, body: { passkeys: await listPasskeys(personOf(res)) } }),
    addOptions: async ({ req, res, body }) => {
      const person = personOf(res);
      const site = siteOf(req);
      await requirePassword(person, body.password);
      return { status: 200, body: await beginPasskey(person, site) };
    },
    add: async ({ req, res, body }) => ({
      status: 201,
      body: await addPasskey(personOf(res), siteOf(req), body),
    }),
    remove: async ({ res, params, body }) => {
      const person = personOf(res);
      await requirePassword(person, body.password);
      await removePasskey(person, params.id);
      return { status: 204, body: undefined };
    },
  });
}
