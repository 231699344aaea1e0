import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addSalvo, lockDestination, takeRoutes, takeSalvo } from '../../../contract/ndi/router.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { closePanels, connectPanel, type PanelClient } from '../../kit/videohub/panel-client.ts'
import { openPanelMatrix } from '../../kit/videohub/panel-matrix.ts'

const test = suite('panel updates')
hubForEach(test)
test.after.each(closePanels)

/** Clears the clients, runs `change`, and returns the milliseconds until each of them has received `text`. */
async function timesUntil(panels: PanelClient[], text: string, change: () => Promise<unknown>): Promise<number[]> {
  const start = performance.now()
  const times = panels.map(async (panel) => {
    panel.clear()
    await panel.waitFor(text)
    return performance.now() - start
  })
  await change()
  return Promise.all(times)
}

test('20 clients of a 64x64 matrix get a salvo of 64 routes within 100 ms, as one block', async () => {
  await hub.listen(0, 0)
  const { id, port } = await openPanelMatrix(admin, { inputs: 64, outputs: 64 })
  const panels: PanelClient[] = []
  for (let n = 0; n < 20; n++) panels.push(await connectPanel(port, `127.0.0.${2 + (n % 4)}`))
  const block = (sourceOf: (n: number) => number) =>
    `VIDEO OUTPUT ROUTING:\n${Array.from({ length: 64 }, (_, n) => `${n} ${sourceOf(n)}\n`).join('')}\n`
  const takesOf = (sourceOf: (n: number) => number) =>
    Array.from({ length: 64 }, (_, n) => ({ destination: n + 1, source: sourceOf(n) + 1 }))
  const same = (n: number) => n
  const reversed = (n: number) => 63 - n
  const { salvo } = await admin.send(addSalvo, { id, name: 'All', takes: takesOf(same) })
  const bySalvo = await timesUntil(panels, block(same), () => admin.send(takeSalvo, { id, salvo }))
  const byTakes = await timesUntil(panels, block(reversed), () =>
    admin.send(takeRoutes, { id, takes: takesOf(reversed) })
  )
  const byPanel = await timesUntil(panels, block(same), async () => panels[0]?.socket.write(block(same)))
  const byLock = await timesUntil(panels, 'VIDEO OUTPUT LOCKS:\n63 L\n\n', () =>
    admin.send(lockDestination, { id, destination: 64, locked: true })
  )
  for (const times of [bySalvo, byTakes, byPanel, byLock])
    assert.ok(Math.max(...times) < 100, times.map((time) => time.toFixed(0)).join(' '))
})

test.run()
