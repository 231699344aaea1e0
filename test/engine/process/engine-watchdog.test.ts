// A program that hangs is killed, and one that is only busy is not: with the real watchdog, which watches its parent.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { suite } from 'uvu'

const test = suite('watchdog of the engine')

const moduleAt = (path: string) => JSON.stringify(join(import.meta.dirname, '../../..', path))

/** Runs a program with a watchdog that blocks for so many milliseconds, without the processor, and then ends. */
async function runBlocked(
  milliseconds: number
): Promise<{ status: number | null; signal: string | null; log: string }> {
  const script = `
    const { startEngineWatchdog } = await import(${moduleAt('engine/process/engine-watchdog.ts')})
    const { childrenOf, commandLineOf } = await import(${moduleAt('test/kit/system-processes.ts')})
    const { until } = await import(${moduleAt('test/kit/until.ts')})
    startEngineWatchdog()
    const isWatching = () => childrenOf(process.pid).some((pid) => /^[^\\0]*headend-watchdog/.test(commandLineOf(pid)))
    await until(isWatching, 'the watchdog runs')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${milliseconds})
    process.exit(7)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'inherit', 'pipe'] })
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  const [status, signal] = await once(child, 'close')
  return { status, signal, log }
}

test('a program that hangs is killed after 20 s, one that blocks for 15 s goes on', async () => {
  const [busy, hanging] = await Promise.all([runBlocked(15_000), runBlocked(60_000)])
  assert.deepEqual([busy.status, busy.log], [7, ''])
  assert.equal(hanging.signal, 'SIGKILL')
  assert.match(hanging.log, /no sign of life for 20 s/)
})

test.run()
