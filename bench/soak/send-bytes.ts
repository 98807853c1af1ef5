import { connect } from 'node:net'

import type { BytesAction } from './random-bytes.js'

/** The time after which a connection is closed, in ms. */
const MAX_OPEN_MS = 300

/** The time between the bytes and a reset, in ms. */
const RESET_AFTER_MS = 5

/** The time after which a connection is not waited for any more, in ms. */
const GIVE_UP_MS = 5000

/**
 * Sends bytes on a new connection, which is closed soon.
 * @returns the status of the first response; undefined if there was none
 */
export const sendBytes = (
  port: number,
  { bytes, ending }: BytesAction,
): Promise<number | undefined> =>
  new Promise((resolve) => {
    let start = ''
    const socket = connect(port, '127.0.0.1')
    const delay = ending === 'reset' ? RESET_AFTER_MS : MAX_OPEN_MS
    const timer = setTimeout(() => socket.resetAndDestroy(), delay)
    socket.on('data', (chunk: Buffer) => {
      if (start.length < MAX_START) start += chunk.toString('latin1', 0, MAX_START)
      if (ending === 'wait') socket.resetAndDestroy()
    })
    socket.on('error', () => undefined)
    // A socket that is reset before it is connected may never close.
    const giveUpTimer = setTimeout(() => {
      socket.destroy()
      resolve(undefined)
    }, GIVE_UP_MS)
    socket.on('close', () => {
      clearTimeout(timer)
      clearTimeout(giveUpTimer)
      const status = /^HTTP\/1\.1 (\d{3})/.exec(start)?.[1]
      resolve(status === undefined ? undefined : Number(status))
    })
    if (ending === 'end') socket.end(bytes)
    else socket.write(bytes)
  })

/** The characters of a response that are kept. */
const MAX_START = 64
