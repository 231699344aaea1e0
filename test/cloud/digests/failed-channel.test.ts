// A real hub with a real stream, seen from the cloud.
import assert from 'node:assert/strict'
import { listCloudChannels, listCloudProblems, listHubs } from '../../../contract/cloud/calls.ts'
import { acknowledgeProblems } from '../../../contract/problem.ts'
import { addChannel, enableChannel, setChannelInput } from '../../../contract/stream/channel.ts'
import { addInput } from '../../../contract/stream/source.ts'
import { type OpenedHub, withOpenedHub } from '../../kit/cloud/opened-hub.ts'
import { sendClip, setUpMedia } from '../../kit/engine/media.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { suite } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'
import { within } from '../../kit/within.ts'

const test = suite('a failed channel in the cloud')
setUpMedia(test)

/** Milliseconds within which an operator in the cloud sees it. */
const REPORT_TIME = 5000

const verdictOf = async ({ user }: OpenedHub) => (await user.send(listCloudChannels, {})).list[0]?.health.verdict

test('an operator in the cloud sees within 5 s that the source of a channel has died, and who has acknowledged it', () =>
  withOpenedHub(async (fixture) => {
    const { admin, user, sn } = fixture
    const url = `udp://127.0.0.1:${await freeUdpPort()}`
    const { id: input } = await admin.send(addInput, { name: 'Camera', config: { type: 1, url } })
    const { id } = await admin.send(addChannel, { name: 'Hall' })
    await admin.send(setChannelInput, { id, input })
    await admin.send(enableChannel, { id, enable: true })
    const sender = sendClip('mpegts', `${url}?pkt_size=1316`)
    await until(async () => (await verdictOf(fixture)) === 'on-air', 'on air in the cloud')
    await within(REPORT_TIME, 'the failed channel in the cloud', async () => {
      await sender.kill()
      await until(async () => (await verdictOf(fixture)) === 'down', 'down in the cloud')
    })
    const [problem] = (await user.send(listCloudProblems, {})).list
    assert.deepEqual(
      [problem?.hub, problem?.name, problem?.channel, problem?.severity, problem?.reason, problem?.confirmed],
      [sn, 'Hall', id, 'bad', 'no-data', true]
    )
    await admin.send(acknowledgeProblems, { id: [`channel-${id}`], note: 'Known' })
    await until(async () => (await user.send(listCloudProblems, {})).list[0]?.ack?.note === 'Known', 'acknowledged')
    const { summary } = (await user.send(listHubs, {})).list[0] ?? {}
    assert.deepEqual([summary?.verdict, summary?.verdicts, summary?.bad], ['online', { down: 1 }, 1])
  }))

test.run()
