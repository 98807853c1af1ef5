const WIDTH = 30

/** What shows the progress of a recording. */
export interface ProgressBar {
  readonly show: (resource: string, count: number, total: number) => void
  /** Shows why nothing happens for a time. */
  readonly wait: (ms: number) => void
  /** Ends the line. */
  readonly end: () => void
}

/** Returns a bar on a terminal, and one line for each resource elsewhere. */
export function createProgressBar(stream: NodeJS.WriteStream): ProgressBar {
  if (!stream.isTTY) {
    return {
      show: (resource, count, total) => {
        if (count >= total)
          stream.write(`${resource}: ${count} ${count === 1 ? 'item' : 'items'}\n`)
      },
      wait: (ms) => stream.write(`the server asks to wait for ${Math.ceil(ms / 1000)} s\n`),
      end: () => undefined,
    }
  }
  let line = ''
  const write = (text: string): void => {
    line = text
    stream.write(`\r${text}\u001B[K`)
  }
  return {
    show: (resource, count, total) =>
      write(`${resource.padEnd(16)} ${drawBar(count, total)} ${count} of ${total}`),
    wait: (ms) => write(`${line}, waiting for ${Math.ceil(ms / 1000)} s as the server asks`),
    end: () => {
      if (line !== '') stream.write('\n')
    },
  }
}

function drawBar(count: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.min(WIDTH, Math.round((WIDTH * count) / total))
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}]`
}
