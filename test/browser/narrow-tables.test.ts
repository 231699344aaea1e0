// Tables fit the window: on a phone no column and no action is cut off, and in a usual window neither is a column of
// the devices that wait for approval.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addToken, NEVER_EXPIRES } from '../../contract/access/token.ts'
import { addUser } from '../../contract/access/user.ts'
import { addChannel, addChannelOutputs, enableChannel, setChannelInput } from '../../contract/stream/channel.ts'
import { RTMP, SRT } from '../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../contract/stream/source.ts'
import { ROUTES } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { md5 } from '../kit/hub/hub.ts'

const test = suite('tables in narrow windows')

let environment: BrowserEnvironment
test.before(async () => {
  environment = await startEnvironment({ devices: 4 })
  const { hub } = environment
  await hub.signIn()
  const { id } = await hub.send(addChannel, { name: 'Sunday service in the hall' })
  const players = { mode: 'listener', 'bind-port': 9305 } as const
  const output = await hub.send(addOutput, { name: 'Players in the hall', protocol: SRT, config: players })
  const config = { url: 'rtmp://live.cdn.example.com/app/stream', key: 'k' }
  await hub.send(addOutput, { name: 'CDN Frankfurt', protocol: RTMP, config })
  await hub.send(addChannelOutputs, { id, outputs: [output.id] })
  const camera = { name: 'Studio camera', config: { type: 1, url: 'srt://192.0.2.20:9000' } } as const
  const { id: input } = await hub.send(addInput, camera)
  // Without media from its input, the output has the longest of all states.
  await hub.send(setChannelInput, { id, input })
  await hub.send(enableChannel, { id, enable: true })
  await hub.send(addUser, { name: 'operator.long.name', passwd: md5('secret-1'), 'group-id': 2 })
  await hub.send(addToken, { name: 'Playout automation', 'expired-time': NEVER_EXPIRES })
})
test.after(() => environment?.close())

/** Pixels by which a table may be wider than its frame: the heading for screen readers has one. */
const TOLERANCE = 1

/** Opens a list. @returns whether it is wider than its frame, and the controls outside of the window */
async function overflowOf(at: string, row: string, width: number): Promise<[boolean, string[]]> {
  let found: [number, string[]] = [0, []]
  await environment.visit({ at, size: [width, 800] }, async (page) => {
    await page.getByRole('rowheader', { name: row }).first().waitFor()
    found = await page.evaluate(() => {
      const frame = document.querySelector('.scroll') as HTMLElement
      const controls = [...frame.querySelectorAll('button, a')].filter(
        (control) => control.getBoundingClientRect().right > innerWidth
      )
      return [frame.scrollWidth - frame.clientWidth, controls.map((control) => control.textContent ?? '')]
    })
  })
  return [found[0] > TOLERANCE, found[1]]
}

for (const [at, row] of [
  [ROUTES.outputs, 'CDN Frankfurt'],
  [ROUTES.inputs, 'Studio camera'],
  [ROUTES.users, 'operator.long.name'],
  [ROUTES.accessTokens, 'Playout automation'],
  [ROUTES.pendingDevices, 'Main Hall PTZ']
] as const)
  test(`at 360 px nothing of ${at} is cut off`, async () => {
    assert.deepEqual(await overflowOf(at, row, 360), [false, []])
  })

test('at 1440 px no column of the outputs is cut off', async () => {
  assert.deepEqual(await overflowOf(ROUTES.outputs, 'CDN Frankfurt', 1440), [false, []])
})

test('at 1440 px no column of the pending devices is cut off', async () => {
  assert.deepEqual(await overflowOf(ROUTES.pendingDevices, 'Main Hall PTZ', 1440), [false, []])
})

test.run()
