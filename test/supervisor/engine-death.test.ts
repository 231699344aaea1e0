// The engine dies under the supervisor: streams are back within 5 s, and the hub reports it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { listLog } from '../../contract/log.ts'
import { queryChannel } from '../../contract/stream/channel.ts'
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import { cleanUpMedia } from '../kit/engine/media.ts'
import { startCountedChannel } from '../kit/hub/counted-channel.ts'
import { type HubProcess, startHubProcess } from '../kit/hub/hub-process.ts'
import { freeTcpPort } from '../kit/net/free-port.ts'
import { ownTime } from '../kit/own-time.ts'
import { commandLineOf, descendantsOf, isRunning } from '../kit/system-processes.ts'
import { until } from '../kit/until.ts'

const test = suite('death of the engine')

/** Milliseconds without output that the death of the engine may cost. */
const OUTAGE_MAX = 5000

let data: string
let headend: HubProcess

test.before.each(async () => {
  data = mkdtempSync(join(tmpdir(), 'headend-death-'))
  headend = await startHubProcess(data, { web: await freeTcpPort(), link: await freeTcpPort() }, 'supervisor/main.ts')
})
test.after.each(async () => {
  headend.child.kill('SIGTERM')
  await once(headend.child, 'exit')
  rmSync(data, { recursive: true, force: true })
})
test.after(cleanUpMedia)

/** Process ID of the running hub or engine. */
function pidOf(title: string): number {
  const pid = descendantsOf(headend.child.pid ?? 0).find((each) => commandLineOf(each).startsWith(title))
  if (pid === undefined) throw new Error(`${title} does not run`)
  return pid
}

test('outputs run again within 5 s after the engine was killed, all its processes are gone, and the log reports it', async () => {
  const { id, recorder } = await startCountedChannel(headend)
  try {
    const engine = pidOf('headend-engine')
    const legs = descendantsOf(engine)
    assert.ok(legs.length > 0)
    const hub = pidOf('headend-hub')
    process.kill(engine, 'SIGKILL')
    const outage = await ownTime(async () => {
      await until(() => !legs.some(isRunning), 'the legs end')
      await until(async () => {
        const { list } = await headend.send(listLog, { type: 'system' })
        return list.some(({ event }) => event === 'engine-restarted')
      }, 'the log says that the engine was restarted')
      // Counted from here on, because packets from before the kill may still have been on their way.
      const before = recorder.bytes
      await until(() => recorder.bytes > before, 'the output runs again')
    })
    assert.ok(outage < OUTAGE_MAX, `${outage} ms without output`)
    assert.equal(pidOf('headend-hub'), hub, 'the hub continues')
    await until(async () => {
      const { channel } = await headend.send(queryChannel, { id })
      return channel.outputs.list.every((leg) => leg['conn-state'] === CONNECTION_STATE.connected)
    }, 'the hub sees the stream')
  } finally {
    recorder.close()
  }
})

test.run()
