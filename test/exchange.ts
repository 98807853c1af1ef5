import { connect } from 'node:net'

/** Sends bytes as they are and gives all that comes back until the server closes. */
export function exchange(port: number, bytes: string, host = '127.0.0.1'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.write(bytes))
    let answer = ''
    socket.setTimeout(5000, () => socket.destroy(new Error('no answer in 5 s')))
    socket.on('data', (chunk) => (answer += chunk))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}
