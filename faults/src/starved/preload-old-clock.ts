/*
 * Loaded before a server and its threads (`NODE_OPTIONS=--import <this file>`). Lets the processor time of threads pass as the clock does,
 * as limits of work once counted, so that a control can show what a busy machine costs without them.
 */
import { Worker } from 'node:worker_threads';

const byClock = () => ({ user: Date.now() * 1_000, system: 0 });

process.threadCpuUsage = byClock;
Worker.prototype.cpuUsage = async () => byClock();
