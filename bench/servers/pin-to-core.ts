import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** The core of all servers, of which one works at a time. */
export const SERVER_CORE = 0

/** The core of the client. */
export const CLIENT_CORE = 1

/** Whether processes can be pinned to cores: there are at least two, and `taskset` (Linux). */
export const CAN_PIN = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0

/** Returns a command that runs on one core, or the same command if processes cannot be pinned. */
export const pinToCore = (
  core: number,
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] =>
  CAN_PIN ? ['taskset', '-c', String(core), ...command] : command
