import { connect } from 'node:net'

/** Sends bytes over a new connection, and returns all that it receives until the server closes. */
export function sendBytes(port: number, bytes: string, host = '127.0.0.1'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.write(bytes))
    let response = ''
    socket.setTimeout(60_000, () => socket.destroy(new Error('no response in a minute')))
    socket.on('data', (chunk) => (response += chunk))
    socket.on('close', () => resolve(response))
    socket.on('error', reject)
  })
}
