import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addSalvo, lockDestination, takeRoutes, takeSalvo } from '../../../contract/ndi/router.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { ownTime } from '../../kit/own-time.ts'
import { closePanels, connectPanel, type PanelClient } from '../../kit/videohub/panel-client.ts'
import { openPanelMatrix } from '../../kit/videohub/panel-matrix.ts'

const test = suite('panel updates')
hubForEach(test)
test.after.each(closePanels)

interface Change {
  run(): Promise<unknown>
  /** What each client receives. */
  text: string
}

/** Makes a change, and returns the milliseconds until all clients have received it. */
function timeUntilAll(panels: PanelClient[], { run, text }: Change): Promise<number> {
  for (const panel of panels) panel.clear()
  return ownTime(() => Promise.all([run(), ...panels.map((panel) => panel.waitFor(text))]))
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
  const lock = (locked: boolean) => admin.send(lockDestination, { id, destination: 64, locked })
  const changes: Record<string, [first: Change, back: Change]> = {
    salvo: [
      { text: block(same), run: () => admin.send(takeSalvo, { id, salvo }) },
      { text: block(reversed), run: () => admin.send(takeRoutes, { id, takes: takesOf(reversed) }) }
    ],
    panel: [
      { text: block(same), run: async () => panels[0]?.socket.write(block(same)) },
      { text: block(reversed), run: async () => panels[19]?.socket.write(block(reversed)) }
    ],
    lock: [
      { text: 'VIDEO OUTPUT LOCKS:\n63 L\n\n', run: () => lock(true) },
      { text: 'VIDEO OUTPUT LOCKS:\n63 U\n\n', run: () => lock(false) }
    ]
  }
  for (const [name, pair] of Object.entries(changes)) {
    const times: number[] = []
    for (let round = 0; round < 3; round++) for (const change of pair) times.push(await timeUntilAll(panels, change))
    // One of the six may be late.
    assert.ok(
      (times.toSorted((a, b) => a - b).at(-2) ?? 0) < 100,
      `${name}: ${times.map((time) => time.toFixed(0)).join(' ')}`
    )
  }
})

test.run()
