// The stream engine as a separate process, which tests can kill or stop.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { removeFoldersOfKilledEngines } from '../engine/killed-engine.ts'

export interface EngineProcess {
  child: ChildProcess
  /** Kills the process at once. */
  kill(): Promise<void>
}

/**
 * Starts `engine/main.ts` on `data`, and waits until it listens.
 * @param wrapper a command that becomes the command in its further arguments
 */
export async function startEngineProcess(data: string, wrapper: readonly string[] = []): Promise<EngineProcess> {
  const [command = '', ...args] = [...wrapper, process.execPath, 'engine/main.ts']
  const child = spawn(command, args, {
    env: { ...process.env, HOST: '127.0.0.1', DATA: data },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => String(chunk).includes('Engine: ') && resolve())
    child.on('exit', () => reject(new Error('The engine exited')))
  })
  return {
    child,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      // A stopped process ends too.
      child.kill('SIGKILL')
      await once(child, 'exit')
      removeFoldersOfKilledEngines()
    }
  }
}
