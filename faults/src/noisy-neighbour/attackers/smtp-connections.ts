import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attacker } from '../attacker.ts';
import { idleAddressFrom } from '../watch-server.ts';

const held = 2_000;
const addresses = 50;
const perRound = 400;

export const smtpConnections: Attacker = {
  name: 'smtp-connections',
  about: 'holds 2,000 silent SMTP connections from 50 addresses, and opens a new one for each that ends',
  holdsConnections: true,
  attack: async (attack) => {
    const sockets = new Set<Socket>();
    const open = (number: number) => {
      const localAddress = attack.address(idleAddressFrom + (number % addresses));
      const socket = connect({ port: attack.target().smtpPort, host: '127.0.0.1', localAddress });
      sockets.add(socket);
      socket.once('data', (chunk) => attack.count(`SMTP: ${chunk.toString('latin1', 0, 3)}`));
      socket.on('error', () => attack.count('connection broken'));
      socket.once('close', () => sockets.delete(socket));
    };
    for (let opened = 0; !attack.isOver(); await sleep(500))
      for (let round = 0; round < perRound && sockets.size < held; round++) open(opened++);
    for (const socket of sockets) socket.destroy();
  },
};
