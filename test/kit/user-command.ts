import { spawnSync } from 'node:child_process'

/** Runs a command that changes a user of a stopped hub, for example `reset-password`. */
export function runUserCommand(program: string, data: string, ...words: string[]) {
  const env = { ...process.env, DATA: data }
  const { status, stdout, stderr } = spawnSync(process.execPath, [`hub/${program}.ts`, ...words], {
    env,
    encoding: 'utf8'
  })
  return { status, output: stdout + stderr }
}
