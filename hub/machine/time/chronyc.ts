// Runs chronyc, the client of chrony. It is used instead of the socket's own protocol, which chrony does not document
// and changes between its versions: chronyc comes with the chronyd that it talks to, and its report format (`-c`) is
// made for programs (docs/architecture/time.md).
import { execFile } from 'node:child_process'

/** Milliseconds in which chronyd must answer. */
const TIMEOUT = 5000
/** Bytes of an answer: several hundred sources. */
const OUTPUT_MAX = 1 << 16

/** Output of chronyc; `missing` if it is not installed. */
export type ChronyAnswer = { output: string; isOk: boolean } | 'missing'

/** @param commands each with its arguments, such as `sources -a` */
export function runChronyc(program: string, commands: readonly string[]): Promise<ChronyAnswer> {
  return new Promise((resolve) => {
    const options = { timeout: TIMEOUT, maxBuffer: OUTPUT_MAX, env: { ...process.env, LC_ALL: 'C' } }
    execFile(program, ['-c', '-N', '-m', ...commands], options, (error, stdout) => {
      if (error && 'code' in error && error.code === 'ENOENT') resolve('missing')
      else resolve({ output: stdout, isOk: !error })
    })
  })
}
