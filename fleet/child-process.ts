// Processes that never outlive the one that started them.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of a program, or undefined where it is not installed. */
export function find(program: string): string | undefined {
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

const guard = find('setpriv')

/**
 * Starts a process that the kernel ends with this one, even when this one is killed outright. Without setpriv (util-linux) it is
 * started all the same and has to find out by itself, by its closed pipes.
 */
export function spawnGuarded(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const command = guard === undefined ? [program, ...args] : [guard, '--pdeathsig', 'KILL', program, ...args]
  return spawn(command[0] as string, command.slice(1), options)
}
