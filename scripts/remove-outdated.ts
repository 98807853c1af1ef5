import { readdirSync, rmSync } from 'node:fs'

/**
 * Removes what a former build wrote to a folder. Leaves the temporary files of another one, which start
 * with a dot.
 * @param names the names of the files that the folder has now
 */
export function removeOutdated(folder: string, names: ReadonlySet<string>): void {
  const outdated = readdirSync(folder).filter((name) => !name.startsWith('.') && !names.has(name))
  for (const name of outdated) rmSync(`${folder}/${name}`, { force: true })
}
