// The timeline of a channel with real media: a source that is lost, and a backup that takes over.
import { suite } from 'uvu'
import { addChannel, enableChannel, setChannel, setChannelInput } from '../../../contract/stream/channel.ts'
import { channelTimeline } from '../../../contract/stream/channel-timeline.ts'
import { addInput } from '../../../contract/stream/source.ts'
import { sendClip, setUpMedia } from '../../kit/engine/media.ts'
import { admin, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('timeline of a channel with media')
setUpMedia(test)
hubForEach(test)

test('a source that ends and the backup that takes over are entries, with their cause', async () => {
  const urls = [`udp://127.0.0.1:${await freeUdpPort()}`, `udp://127.0.0.1:${await freeUdpPort()}`] as const
  const inputs: number[] = []
  for (const url of urls)
    inputs.push((await admin.send(addInput, { name: url.slice(-5), config: { type: 1, url } })).id)
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id, input: inputs[0] ?? 0 })
  await admin.send(setChannel, { id, name: 'Hall', config: { backups: inputs.slice(1) } })
  await admin.send(enableChannel, { id, enable: true })
  const hasEntry = async (text: RegExp) =>
    (await admin.send(channelTimeline, { id })).list.some((entry) => text.test(entry.text))
  const main = sendClip('mpegts', `${urls[0]}?pkt_size=1316`)
  const backup = sendClip('mpegts', `${urls[1]}?pkt_size=1316`)
  try {
    await until(() => hasEntry(/^On air\.$/), 'the channel is on air')
    await main.kill()
    await until(() => hasEntry(/^Switched to backup 1: main input lost\.$/), 'the switch is an entry')
    await until(() => hasEntry(/^Degraded\. Running on backup 1/), 'the new state is an entry')
  } finally {
    await main.kill()
    await backup.kill()
  }
})

test.run()
