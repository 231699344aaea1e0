import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { PORT_CONFIRM_TIME } from '../../../../contract/web/ports.ts'
import type { StartListener } from '../../../../hub/http/ports/listening-port.ts'
import { WebPorts } from '../../../../hub/http/ports/web-ports.ts'

const test = suite('web ports')

test.after.each(() => mock.timers.reset())

test('a new port closes again when its time has passed without a confirmation', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const events: string[] = []
  const open = new Set<number>()
  const ports = new WebPorts({
    stored: () => ({ ports: {} }) as never,
    store: () => assert.fail('nothing is stored'),
    onEvent: (event, detail) => events.push(`${event} ${detail}`)
  })
  const start: StartListener = async (port) => {
    open.add(port)
    return { port, close: async () => void open.delete(port) }
  }
  await ports.open(
    { http: 3000, link: 8070, files: 8080, https: null },
    { http: start, link: start, files: start, https: start }
  )
  await ports.startTrial('http', 3001)
  mock.timers.tick(PORT_CONFIRM_TIME * 1000 - 1)
  assert.deepEqual([ports.isTrying(), open.has(3001)], [true, true])
  mock.timers.tick(1)
  await ports.close()
  assert.deepEqual(events, ['port-not-confirmed http 3001'])
  assert.deepEqual([PORT_CONFIRM_TIME, ports.last()?.outcome, open.has(3001)], [60, 'not-confirmed', false])
})

test.run()
