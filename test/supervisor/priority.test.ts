// The priorities of the processes that the supervisor starts.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { type HubProcess, startHubProcess } from '../kit/hub/hub-process.ts'
import { commandLineOf, descendantsOf, readIfPresent } from '../kit/system-processes.ts'
import { until } from '../kit/until.ts'

const test = suite('priorities')

let data: string
let hub: HubProcess

test.before(async () => {
  data = mkdtempSync(join(tmpdir(), 'headend-priority-'))
  hub = await startHubProcess(data, { web: 0, link: 0 }, 'supervisor/main.ts')
})
test.after(async () => {
  hub.child.kill('SIGTERM')
  await until(() => hub.child.exitCode !== null, 'the supervisor has exited')
  rmSync(data, { recursive: true, force: true })
})

/** Waits until the supervisor has started a program. @returns its process ID */
async function pidOf(program: string): Promise<number> {
  const find = () => descendantsOf(hub.child.pid ?? 0).find((pid) => commandLineOf(pid).startsWith(program))
  await until(() => find() !== undefined, `${program} runs`)
  return find() as number
}

/** Nice values of all threads of a process, without repetitions. */
function niceValues(pid: number): number[] {
  const values = readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    // The 19th field; the name of the thread, the second, may contain spaces. A thread may have ended.
    const fields = readIfPresent(`/proc/${pid}/task/${thread}/stat`).split(') ')[1]?.split(' ')
    return fields ? [Number(fields[16])] : []
  })
  return [...new Set(values)]
}

test('every thread of the hub has a lower priority than the engine, which has that of the supervisor', async () => {
  const own = niceValues(hub.child.pid ?? 0)
  assert.deepEqual(niceValues(await pidOf('headend-engine')), own)
  assert.deepEqual(
    niceValues(await pidOf('headend-hub')),
    own.map((value) => Math.min(value + 5, 19))
  )
})

test.run()
