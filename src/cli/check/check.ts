import { writeFile } from 'node:fs/promises'

import { checkDeployment } from '../../contract/check-deployment.js'
import { ApiClient } from '../../contract/client/api-client.js'
import { isHeld } from '../../contract/report.js'
import type { Report } from '../../contract/report.js'
import { DeploymentUnusable, OptionsInvalid } from '../../errors.js'
import { connect } from '../remote/connect.js'
import type { CheckOptions } from './check-options.js'
import { formatHtml } from './format-html.js'
import { formatJson } from './format-json.js'
import { formatJunit } from './format-junit.js'
import { formatText } from './format-text.js'
import { reportToGithub } from './github.js'
import { Progress } from './progress.js'

/** The time until a response must be complete, in ms. */
const TIMEOUT = 20_000

/** The time that a check waits in all because the server asks it to, in ms. */
const PATIENCE = 60_000

/**
 * Checks a deployment and writes the report. Ctrl-C ends it, after what it has made is deleted.
 * @returns whether every documented statement holds
 * @throws DeploymentUnusable if the deployment can't be checked, OptionsInvalid for a file that can't
 * be written
 */
export async function check(
  options: CheckOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const { resource, url, username, password, loginEnvelope, write, format, out } = options
  const [progress, interruption] = [new Progress(process.stderr), new AbortController()]
  const { signal } = interruption
  const interrupt = (): void => interruption.abort(new DeploymentUnusable('interrupted'))
  for (const name of SIGNALS) process.once(name, interrupt)
  try {
    const { client, headers, end } = await connect(options, resource, {
      timeout: TIMEOUT,
      patience: PATIENCE,
      signal,
      onWait: (ms) => progress.show(`the server asks to wait ${Math.ceil(ms / 1000)} s`),
    })
    const report = await checkDeployment({
      client,
      lastClient: new ApiClient(url, { timeout: TIMEOUT }),
      credentials: headers,
      login: username === undefined || password === undefined ? undefined : { username, password },
      loginEnvelope,
      resource,
      write,
      signal,
      onProgress: ({ id }, done, total) => progress.show(`${done + 1} of ${total}  ${id}`),
    }).finally(end)
    progress.clear()
    await writeReport(toText(report, format, out === undefined && hasColours(environment)), out)
    if (environment.GITHUB_ACTIONS === 'true') await reportToGithub(report, environment)
    return isHeld(report)
  } finally {
    progress.clear()
    for (const name of SIGNALS) process.off(name, interrupt)
  }
}

/** The signals that end a check. A second one ends the process at once. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Whether standard output shows colours (https://no-color.org). */
const hasColours = ({ NO_COLOR = '' }: Readonly<Record<string, string | undefined>>): boolean =>
  process.stdout.isTTY && NO_COLOR === ''

function toText(report: Report, format: CheckOptions['format'], isColoured: boolean): string {
  switch (format) {
    case 'text':
      return formatText(report, isColoured)
    case 'json':
      return formatJson(report)
    case 'junit':
      return formatJunit(report)
    case 'html':
      return formatHtml(report)
  }
}

async function writeReport(text: string, out: string | undefined): Promise<void> {
  if (out === undefined) {
    process.stdout.write(text)
    return
  }
  await writeFile(out, text).catch(({ message }: Error) => {
    throw new OptionsInvalid(`give another --out; the report can't be written: ${message}`)
  })
}
