/** A part of the server's work that a process takes on. */
export type Role = 'api' | 'smtp' | 'worker';
