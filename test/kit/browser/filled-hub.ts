// Fills the hub of a browser test with one object of each kind.
import { addToken, NEVER_EXPIRES } from '../../../contract/access/token.ts'
import { addChannel, addChannelOutputs, setChannelInput } from '../../../contract/stream/channel.ts'
import { SRT } from '../../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../../contract/stream/source.ts'
import { linkTo } from '../../../src/paths.ts'
import { OTHER_DAYS } from '../other-days.ts'
import type { BrowserEnvironment } from './environment.ts'

/**
 * Accepts two devices, and adds a channel with input, output and schedule, and an access token. The environment must
 * have three devices.
 * @returns the pages of the channel and of a device
 */
export async function fillHub(environment: BrowserEnvironment): Promise<{ channel: string; device: string }> {
  const [first] = await environment.accept('Main Hall PTZ', 'Lecture 2.14')
  await environment.device('Campus News Desk')
  const { id } = await environment.hub.send(addChannel, {
    name: 'Sunday service',
    config: { schedule: { zone: 'UTC', rules: [{ days: OTHER_DAYS, start: '09:00', stop: '10:00' }] } }
  })
  const config = { mode: 'listener', 'bind-port': 9001 } as const
  const output = await environment.hub.send(addOutput, { name: 'Foyer', protocol: SRT, config })
  await environment.hub.send(addChannelOutputs, { id, outputs: [output.id] })
  const url = 'srt://0.0.0.0:9100?mode=listener&latency=120'
  const input = await environment.hub.send(addInput, { name: 'Gate', config: { type: 1, url } })
  await environment.hub.send(setChannelInput, { id, input: input.id })
  await environment.hub.send(addToken, { name: 'Nightly backup', 'expired-time': NEVER_EXPIRES })
  return {
    channel: linkTo('channelDetail', { channelId: String(id) }),
    device: linkTo('deviceDetail', { sn: first?.sn ?? '', catalog: '0' })
  }
}
