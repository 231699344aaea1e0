import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../contract/permissions.ts'
import { PLACES } from '../../../src/paths.ts'
import { channelForEach, place } from '../../kit/channel-page.ts'
import { openConsole } from '../../kit/console.ts'
import { addUser } from '../../kit/hub.ts'
import { hub } from '../../kit/hub-for-each.ts'
import { click, none, one, says } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('channel ports')

channelForEach(test)

/** How often the engine was told to try again. */
let tries: number

test.before.each(() => {
  tries = 0
  const { engine } = hub.hub
  engine.ports = () => ({ srt: { reason: 'port-taken 8000' }, rtmp: { port: 1935 } })
  engine.retryPorts = () => void tries++
})

async function isRepaired(at: string): Promise<void> {
  await openConsole(hub, { at })
  const banner = await one('alert')
  await says('SRT: port 8000 is in use by another program Choose another port, or end what uses it.', banner)
  await click(await one('button', 'Retry', banner))
  await until(() => tries === 1, 'it is tried again')
  hub.hub.engine.ports = () => ({ srt: { port: 8000 }, rtmp: { port: 1935 } })
  await none('alert')
}

test('a shared port that is not open is said above the list with its reason, until trying again has opened it', () =>
  isRepaired(PLACES.channels))

test('and so it is on the page of each channel', () => isRepaired(place()))

test('who may not control channels sees why, and no button', async () => {
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  await openConsole(hub, { at: PLACES.channels, user: 'viewer' })
  await says(/SRT: port 8000 is in use/, await one('alert'))
  await none('button', 'Retry')
})

test.run()
