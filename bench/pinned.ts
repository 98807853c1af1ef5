import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** The core that every server runs on, one at a time. */
export const SERVER_CORE = 0

/** The core of the client. */
export const CLIENT_CORE = 1

/** Whether processes can be kept on cores of their own: there are two, and `taskset` (Linux). */
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0

/** A command that runs on one core, where that can be done. */
export const pinned = (
  core: number,
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] =>
  canPin ? ['taskset', '-c', String(core), ...command] : command
