import { WebSocket } from 'ws';

/** Asks sockets now and then whether there is somebody, by one timer for all. */
export interface KeepAlive {
  /** Asks this socket until it is closed. */
  add(socket: WebSocket): void;
  stop(): void;
}

/** A share of the sockets is asked at a time, so that thousands of pings do not go out at one moment. */
const shares = 25;

/**
 * Pings each socket every `everyMs`, and cuts those that have not answered by the next time. The question is behind what waits for
 * the socket, so one that takes some of that is asked on.
 */
export const createKeepAlive = (everyMs: number): KeepAlive => {
  const sockets = Array.from({ length: shares }, () => new Set<WebSocket>());
  /** What waited for the socket when it was asked last. */
  const unanswered = new WeakMap<WebSocket, number>();
  let added = 0;
  let turn = 0;
  const timer = setInterval(() => {
    turn = (turn + 1) % shares;
    for (const socket of sockets[turn] ?? []) {
      // One that is closing has its own time for it.
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
};
