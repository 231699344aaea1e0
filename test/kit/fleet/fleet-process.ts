// The demo fleet as a separate process, which tests can stop and kill.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sendControlRequest } from '../../../fleet/process/control-socket.ts'
import type { DeviceListing } from '../../../fleet/process/supervisor.ts'
import { until } from '../until.ts'

export interface FleetProcess {
  child: ChildProcess
  /** The fleet's folder. */
  folder: string
  list(): Promise<DeviceListing[]>
  /** Process ID of a device. */
  pidOf(sn: string): Promise<number>
  kill(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/**
 * Starts `fleet/main.ts` on the data folder `data`. Media and demo setup are marked as done.
 * @param clip bytes of the clip that each device pushes
 * @param wrapper a command that executes the command in its further arguments
 */
export async function startFleet(
  data: string,
  linkPort: number,
  count: number,
  clip: Uint8Array = new Uint8Array(),
  wrapper: readonly string[] = []
): Promise<FleetProcess> {
  const folder = join(data, 'fleet')
  mkdirSync(join(folder, 'media'), { recursive: true })
  for (let index = 1; index <= 4; index++) writeFileSync(join(folder, 'media', `clip-${index}.ts`), clip)
  writeFileSync(join(folder, 'set-up.json'), '{}')
  const program = join(import.meta.dirname, '../../../fleet/main.ts')
  const [command = '', ...args] = [...wrapper, process.execPath, program]
  const child = spawn(command, args, {
    env: { ...process.env, DATA: data, FLEET: String(count), HUB_LINK: `127.0.0.1:${linkPort}` },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const self: FleetProcess = {
    child,
    folder,
    list: () => sendControlRequest(folder, { act: 'list' }),
    pidOf: async (sn) => (await self.list()).find((device) => device.sn === sn)?.pid ?? 0,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await once(child, 'exit')
    }
  }
  await until(
    () =>
      self.list().then(
        () => true,
        () => false
      ),
    'the control socket'
  )
  return self
}
