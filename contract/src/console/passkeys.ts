/* Passkeys: credentials of WebAuthn, with which people sign in without a password. */
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { problems } from './errors.ts';
import { byId, consoleLimits, NoBody, nameField, Password, time } from './fields.ts';
import { Session } from './session.ts';

const c = initContract();

/** A passkey of the person. */
export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  created_at: time(),
  last_used_at: time().nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

/** The data that a browser needs for a ceremony of WebAuthn; `ticket` goes back with the result. */
const Ceremony = z.object({ ticket: z.string(), options: z.looseObject({}) });
const CeremonyResult = z.looseObject({});
const ticket = z.string().max(2_000);

/** Routes of passkeys. */
export const passkeys = c.router({
  signInOptions: {
    method: 'POST',
    path: '/session/passkey-options',
    body: NoBody,
    responses: { 200: Ceremony, ...problems },
  },
  signIn: {
    method: 'POST',
    path: '/session/passkey',
    body: z.strictObject({ ticket, response: CeremonyResult }),
    responses: { 200: Session, ...problems },
  },
  list: {
    method: 'GET',
    path: '/me/passkeys',
    responses: { 200: z.object({ passkeys: z.array(Passkey) }), ...problems },
  },
  addOptions: {
    method: 'POST',
    path: '/me/passkeys/options',
    body: z.strictObject({ password: Password }),
    responses: { 200: Ceremony, ...problems },
  },
  add: {
    method: 'POST',
    path: '/me/passkeys',
    body: z.strictObject({
      ticket,
      name: nameField(consoleLimits.nameCharactersMax),
      response: CeremonyResult,
    }),
    responses: { 201: Passkey, ...problems },
  },
  remove: {
    method: 'DELETE',
    path: '/me/passkeys/:id',
    pathParams: byId,
    body: z.strictObject({ password: Password }),
    responses: { 204: c.noBody(), ...problems },
  },
});
