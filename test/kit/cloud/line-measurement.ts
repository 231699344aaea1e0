// Runs `line-journey.ts` in a process of its own.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LineResult } from './line-journey.ts'

const run = promisify(execFile)
const PROGRAM = join(import.meta.dirname, 'line-journey.ts')

async function measure(command: string, args: readonly string[]): Promise<LineResult> {
  const { stdout } = await run(command, args)
  return JSON.parse(stdout)
}

/** A line of 64 kbit/s with a round-trip time of 400 ms between hub and cloud. */
export const measureThinLine = (): Promise<LineResult> => measure(process.execPath, [PROGRAM, 'rate'])

/** A line between hub and cloud that loses packets, in a network namespace. @param percent of the packets */
export function measureLossyLine(percent: number): Promise<LineResult> {
  const command = `ip link set lo up && exec '${process.execPath}' '${PROGRAM}' loss ${percent}`
  return measure('unshare', ['--user', '--map-root-user', '--net', 'sh', '-c', command])
}
