import type { ServerResponse } from 'node:http'

/** Calls back when a response is sent, or its connection has closed before; at once if it has already. */
export function onceClosed(response: ServerResponse, callback: () => void): void {
  if (response.destroyed) callback()
  else response.on('close', callback) // which Node emits once
}
