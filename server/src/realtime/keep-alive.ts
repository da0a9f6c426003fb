import { WebSocket } from 'ws';

/** Pings sockets now and then, with one timer for all. */
export interface KeepAlive {
  /** Pings this socket until it is closed. */
  add(socket: WebSocket): void;
  stop(): void;
}

/** A share of the sockets is pinged at a time, so that thousands of pings are not sent at once. */
const shares = 25;

/**
 * Pings each socket every `everyMs`, and cuts those that have not responded by the next time. A ping leaves after the bytes that are
 * waiting for a socket, so a socket that takes some of them counts as alive.
 */
export function createKeepAlive(everyMs: number): KeepAlive {
  const sockets = Array.from({ length: shares }, () => new Set<WebSocket>());
  /** The bytes that were waiting for the socket at the last ping. */
  const unanswered = new WeakMap<WebSocket, number>();
  let added = 0;
  let turn = 0;
  const timer = setInterval(() => {
    turn = (turn + 1) % shares;
    for (const socket of sockets[turn] ?? []) {
      // A closing socket has a time limit of its own.
      if (socket.readyState !== WebSocket.OPEN) continue;
      const waited = unanswered.get(socket);
      if (waited !== undefined && socket.bufferedAmount >= waited) socket.terminate();
      else {
        unanswered.set(socket, socket.bufferedAmount);
        socket.ping();
      }
    }
  }, everyMs / shares);
  return {
    add: (socket) => {
      added += 1;
      const share = sockets[added % shares];
      share?.add(socket);
      socket.on('pong', () => unanswered.delete(socket));
      socket.once('close', () => share?.delete(socket));
    },
    stop: () => clearInterval(timer),
  };
}
