import { pageHeaders } from '@postrider/testkit/http/console-browser.ts';
import { ask } from '../attack-http.ts';
import { type Attack, type Attacker, flood } from '../attacker.ts';

const atOnce = 60;
/** Each has limits of its own, so that many make up for the limits of one. */
const addresses = 90;

/** Posts to the console without a session, from many addresses in turn. */
function post(attack: Attack, number: number, path: string, body: object): Promise<unknown> {
  const headers = { authorization: '', ...pageHeaders(attack.target().url) };
  const from = 1 + (number % addresses);
  return ask(attack, { method: 'POST', path: `/console/api${path}`, body, headers, from });
}

/** Creates a flood of posts to one path, each with another body. */
function floodOf(name: string, about: string, path: string, bodyOf: (number: number) => object): Attacker {
  return {
    name,
    about,
    attack: (attack) =>
      flood(attack, atOnce, (worker, round) => {
        const number = worker + round * atOnce;
        return post(attack, number, path, bodyOf(number));
      }),
  };
}

const tokenOf = (number: number) => `${number}`.padStart(43, 'x');

export const signInFlood: Attacker = floodOf(
  'sign-in-flood',
  'signs in with wrong passwords of other accounts each time, from 90 addresses',
  '/session',
  (number) => ({ email: `person-${number}@outside.example`, password: 'a wrong password' }),
);

export const linkFlood: Attacker = floodOf(
  'link-flood',
  'opens made-up links for a new password, from 90 addresses',
  '/password-resets/complete',
  (number) => ({ token: tokenOf(number), password: 'a new and long password' }),
);

export const resetFlood: Attacker = floodOf(
  'reset-flood',
  'asks for links for a new password, each time of another address of mail, from 90 addresses',
  '/password-resets',
  (number) => ({ email: `person-${number}@outside.example` }),
);
