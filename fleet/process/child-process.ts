// Child processes that end with their parent.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of a program, or undefined if it is not installed. */
export function findProgram(program: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

const setpriv = findProgram('setpriv')

/**
 * Starts a process that the kernel kills when this process ends, even if this process is killed itself
 * (PR_SET_PDEATHSIG). Without setpriv (util-linux) the process is started without that, and has to notice by its closed
 * pipes.
 */
export function spawnWithDeathSignal(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const command = setpriv === undefined ? [program, ...args] : [setpriv, '--pdeathsig', 'KILL', program, ...args]
  return spawn(command[0] as string, command.slice(1), options)
}
