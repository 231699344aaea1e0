import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { enableChannel, setChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../../../contract/stream/protocols.ts'
import { previews } from '../../../../src/state/previews.ts'
import {
  addRtmpInput,
  addSrtOutput,
  channelForEach,
  channelId,
  openChannelPage
} from '../../../kit/console/channel-page.ts'
import { hub, other } from '../../../kit/console/hub-for-each.ts'
import { waitForText } from '../../../kit/console/page.ts'
import { CARRYING_LEG } from '../../../kit/hub/observed-channel.ts'
import { until } from '../../../kit/until.ts'

const test = suite('channel picture')

channelForEach(test)

// The observer of the simulated browser never reports an element; without one, all elements count as on screen.
const { IntersectionObserver } = globalThis
test.before.each(() => {
  Object.assign(globalThis, { IntersectionObserver: undefined })
})
test.after.each(() => {
  Object.assign(globalThis, { IntersectionObserver })
})

/** Starts the channel with a backup. @returns the preview ids that the console requests */
async function startWithBackup(onAir: 'main' | 'backup' | 'slate'): Promise<{ requested: string[] }> {
  const main = await addRtmpInput('Studio')
  const backup = await addRtmpInput('Van')
  await other.send(setChannelInput, { id: channelId, input: main })
  await other.send(setChannel, { id: channelId, name: 'News', config: { backups: [backup] } })
  await other.send(enableChannel, { id: channelId, enable: true })
  const { engine } = hub.parts
  const { observe } = engine
  engine.observe = (id) => ({
    ...observe(id),
    ...CARRYING_LEG,
    input: CARRYING_LEG,
    backups: new Map([[backup, CARRYING_LEG]]),
    onAir: {
      inputId: onAir === 'backup' ? backup : main,
      slate: onAir === 'slate',
      reason: onAir === 'backup' ? 'on-air-backup 1' : 'on-air-first'
    }
  })
  const requested: string[] = []
  const { subscribe } = previews
  previews.subscribe = (id, onImage) => {
    requested.push(id)
    onImage({ id, url: 'blob:1', contentType: 'image/jpeg', blob: new Blob(), createTime: Date.now(), interval: 500 })
    return () => {
      previews.subscribe = subscribe
    }
  }
  return { requested }
}

for (const [onAir, tag] of [
  ['main', 'Main'],
  ['backup', 'Backup 1'],
  ['slate', 'Slate']
] as const)
  test(`the picture is that of the outputs and says what is on air: ${tag}`, async () => {
    const { requested } = await startWithBackup(onAir)
    await openChannelPage()
    await waitForText(new RegExp(`${tag} · picture \\d`))
    assert.deepEqual([...new Set(requested)], [`CHANNEL-${channelId}`])
  })

test('while all outputs have failed, the moving picture is dimmed and says so', async () => {
  await startWithBackup('main')
  const { engine } = hub.parts
  const { observe } = engine
  const id = await addSrtOutput('Foyer', 9001)
  const failed = { state: SOURCE_STATE.failed, connState: CONNECTION_STATE.refused, kbps: 0, livingTimeS: 0 }
  engine.observe = (channel) => ({ ...observe(channel), ...CARRYING_LEG, outputs: new Map([[id, failed]]) })
  await openChannelPage()
  await waitForText(/Down · picture \d/)
  assert.ok(document.querySelector('.picture[data-stale] img'))
})

test('a stopped channel has no picture', async () => {
  const { requested } = await startWithBackup('main')
  await other.send(enableChannel, { id: channelId, enable: false })
  await openChannelPage()
  await until(() => document.querySelector('.picture')?.textContent === 'Stopped', 'the word')
  assert.deepEqual(requested, [])
  assert.equal(document.querySelector('.picture img'), null)
})

test.run()
