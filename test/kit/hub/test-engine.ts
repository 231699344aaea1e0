// An engine in this process, behind the same socket as the process `headend-engine`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '../../../engine/engine.ts'
import { type LocalOptions, startEngineServer } from '../../../engine/server/engine-server.ts'

export interface TestEngine {
  engine: Engine
  /** Path of its socket. */
  socket: string
  close(): Promise<void>
}

let count = 0

export async function startTestEngine(options: LocalOptions = {}): Promise<TestEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'headend-engine-'))
  const socket = join(folder, 'engine.sock')
  const { engine, close } = await startEngineServer({
    socket,
    // Without DNS-SD, so that tests send nothing to the network of this machine.
    engine: { ...options, ndi: { dnsSd: false, ...options.ndi } },
    instance: `test ${++count}`,
    onRestart() {},
    onSocketTaken() {}
  })
  return {
    engine,
    socket,
    async close() {
      await close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
