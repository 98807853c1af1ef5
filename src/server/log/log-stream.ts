import { formatLogLine } from './format-log-line.js'
import { LogDestination } from './log-destination.js'

/**
 * Creates the stream that the logger writes its lines to: as they are for `json`, one line for a
 * person to read for `text`, with colours on a terminal that has them.
 */
export function createLogStream(format: 'text' | 'json'): { write(line: string): void } {
  const destination = new LogDestination()
  if (format === 'json') return destination
  const hasColours = process.stdout.isTTY && process.stdout.hasColors()
  return {
    write: (line) => {
      const text = formatLogLine(line, hasColours)
      if (text !== '') destination.write(text)
    },
  }
}
