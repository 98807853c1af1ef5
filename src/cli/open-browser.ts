import { spawn } from 'node:child_process'

/** The commands that open a URL, by `process.platform`. All others have that of freedesktop.org. */
const COMMANDS: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/**
 * Opens a URL in the browser.
 * @param onError is called with a message if there is nothing that opens it
 */
export function openBrowser(url: string, onError: (message: string) => void): void {
  const [command, ...args] = COMMANDS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => onError(`open ${url} in a browser; ${command} can't be run`))
  child.unref()
}
