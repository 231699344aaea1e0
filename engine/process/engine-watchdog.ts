// Runs `headend-watchdog` (engine/native/watchdog), which continues this process when a signal has stopped it, and
// kills it when it hangs. It is a process of its own, because a stopped process can do nothing, and a child of the
// engine, because a supervisor such as systemd does not notice either.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { findProgram } from './find-program.ts'

const PROGRAM = join(import.meta.dirname, '../../build/headend-watchdog')
/** Milliseconds between two signs of life, and before the program is started again after its end. */
const INTERVAL = 500
const RESTART_PAUSE = 1000

/** Starts the program, and again when it ends. Does nothing if it is not installed. */
export function startEngineWatchdog(program: string = PROGRAM): void {
  if (findProgram(program) === undefined) return
  const child = spawn(program, [String(process.pid)], { stdio: ['pipe', 'ignore', 'inherit'] })
  const timer = setInterval(() => child.stdin.write('.'), INTERVAL).unref()
  // Its end closes the pipe.
  child.stdin.on('error', () => {})
  child.on('error', () => {})
  child.on('close', () => {
    clearInterval(timer)
    setTimeout(() => startEngineWatchdog(program), RESTART_PAUSE).unref()
  })
  child.unref()
}
