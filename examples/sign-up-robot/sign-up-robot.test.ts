import { fileURLToPath } from 'node:url';
import { type StartedProgram, startProgram } from '@postrider/example-start-server/program';
import { type RestartableServer, startRestartableServer } from '@postrider/example-start-server/restartable';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Site, startSite } from './made-up-site.ts';

const program = fileURLToPath(new URL('sign-up-robot.ts', import.meta.url));
const address = 'robot@postrider.test';
const within = { timeout: 300_000, interval: 20 };

let server: RestartableServer;
let site: Site;
let robot: StartedProgram | undefined;

beforeEach(async () => {
  server = await startRestartableServer();
  site = await startSite({ smtpPort: server.smtpPort, sendsCodes: false });
});
afterEach(async () => {
  await robot?.kill();
  await site?.stop();
  await server?.remove();
});

const startRobot = () => {
  robot = startProgram([program, site.url], server);
  return robot;
};

const untilAsked = (request: string) => vi.waitFor(() => expect(site.requests).toContain(request), within);

const untilSaid = (said: string) =>
  vi.waitFor(() => expect(robot?.lines).toContainEqual(expect.stringContaining(said)), within);

/** Mails a code that is not the one of the account. */
const sendCode = async (from: string, code: string) => {
  const mail = createTransport({
    host: '127.0.0.1',
    port: server.smtpPort,
    tls: { rejectUnauthorized: false },
  });
  await mail.sendMail({ from, to: address, subject: 'Your code', text: `Your code is ${code}.` });
  mail.close();
};

test('signs up once and enters the newest code, over kills of the robot and crashes of the server', async () => {
  startRobot();
  await untilSaid('signed_up');
  await robot?.kill();
  await site.sendCode(address);
  await site.sendCode(address);
  await server.crash();
  await server.start();

  // It is killed as soon as the code is taken, so that it may not have noted that.
  startRobot();
  await untilAsked('POST /codes 204');
  await robot?.kill();

  await startRobot().ended;
  await startRobot().ended;
  expect(robot?.lines).toHaveLength(3);
  const asked = (path: string) => site.requests.filter((request) => request.includes(path));
  expect(asked('/accounts')).toEqual(['POST /accounts 201']);
  expect(asked('/codes').filter((request) => request !== 'POST /codes 409')).toEqual(['POST /codes 204']);
  // One that was killed before it could note the answer opens the link again.
  expect(new Set(asked('/confirm'))).toEqual(new Set(['GET /confirm 200']));
});

test('waits over a crash of the server, for the next code where one is refused', async () => {
  // It dies before it can note that it signed up, and does not do so again.
  startRobot();
  await untilAsked('POST /accounts 201');
  await robot?.kill();
  startRobot();
  await untilSaid('signed_up');
  await server.crash();
  await server.start();
  await sendCode('mallory@stranger.example', '111111');
  await sendCode('hello@service.example', '222222');
  await untilAsked('POST /codes 403');
  await site.sendCode(address);
  await robot?.ended;
  expect(site.requests.filter((request) => request.endsWith('201'))).toHaveLength(1);
  expect(site.requests.slice(-3)).toEqual(['POST /codes 403', 'POST /codes 204', 'GET /confirm 200']);
});
