import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUCCESS } from '../../../../contract/codes.ts'
import { enableChannel, setChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { channelHistory } from '../../../../contract/stream/channel-history.ts'
import { addInput } from '../../../../contract/stream/source.ts'
import {
  addRtmpInput,
  addSrtOutput,
  channelForEach,
  channelId,
  fetchChannel,
  findCard,
  openChannelPage
} from '../../../kit/console/channel-page.ts'
import { hub, other } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, nameOf, queryAllByRole, visibleText, waitForText } from '../../../kit/console/page.ts'
import { CARRYING_LEG, REFUSED_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'
import { until } from '../../../kit/until.ts'

const test = suite('channel statistics')

channelForEach(test)

test('the chart and the counters belong to the leg in the URL', async () => {
  await other.send(setChannelInput, { id: channelId, input: await addRtmpInput('Studio') })
  const backup = await addRtmpInput('Van')
  await other.send(setChannel, { id: channelId, name: 'News', config: { backups: [backup] } })
  const output = await addSrtOutput('Foyer', 9001)
  const console = await openChannelPage(undefined, 'history')
  const requests: string[] = []
  console.intercept = (path) => {
    if (!path.includes(channelHistory.path)) return undefined
    requests.push(path)
    const kbps = [null, null, 1000, null, 3000, null]
    return Response.json({ result: SUCCESS, start: Date.now() - 25_000, step: 5000, columns: { kbps } })
  }
  const figures = await findCard('Bit rate')
  const legs = await findByRole('group', 'Bit rate', figures)
  assert.deepEqual(queryAllByRole('button', undefined, legs).map(nameOf), ['Input', 'Van', 'Foyer'])
  await waitForText('Input 3 Mbps', figures)
  // The missing value in between is a gap; the last one belongs to an interval that has only begun.
  assert.equal(figures.querySelector('.curve')?.getAttribute('d'), 'M2 -1000h0M4 -3000h0')
  await click(await findByRole('button', 'Foyer', legs))
  await waitForText('Foyer 3 Mbps', figures)
  assert.equal(console.currentPath(), `/stream/channel/detail/${channelId}?tab=history&leg=${output}`)
  assert.ok(requests.some((path) => path.includes(`leg=${output}`)))
  assert.ok(requests.every((path) => path.includes('span=300&points=300')))
  await click(await findByRole('button', 'Past 60 minutes', await findByRole('group', 'Period', figures)))
  await until(() => requests.at(-1)?.includes('span=3600') ?? false, 'the whole hour')
  const file = await findByRole<HTMLAnchorElement>('link', 'CSV', figures)
  assert.match(file.href, new RegExp(`/channel/history/file\\?id=${channelId}&leg=${output}$`))
})

test('the bit rate is that of the input on air, which is named, and follows a switch', async () => {
  const { id: backup } = await other.send(addInput, { name: 'Van', config: { type: 1, url: 'udp://127.0.0.1:9001' } })
  const { id: main } = await other.send(addInput, { name: 'Hall', config: { type: 1, url: 'udp://127.0.0.1:9002' } })
  await other.send(setChannelInput, { id: channelId, input: main })
  await other.send(setChannel, { id: channelId, name: 'News', config: { backups: [backup] } })
  await other.send(enableChannel, { id: channelId, enable: true })
  const onAir = { inputId: backup, slate: false, reason: 'on-air-backup 1' } as const
  setObservedChannel(hub, channelId, REFUSED_LEG, {}, { onAir, backups: new Map([[backup, CARRYING_LEG]]) })
  const console = await openChannelPage(undefined, 'history')
  console.intercept = (path) => {
    if (!path.includes(channelHistory.path)) return undefined
    const kbps = path.includes(`leg=${backup}`) ? [2000, 2000] : [0, 0]
    return Response.json({ result: SUCCESS, start: Date.now() - 10_000, step: 5000, columns: { kbps } })
  }
  const figures = await findCard('Bit rate')
  await waitForText('Van (on air) 2 Mbps', figures)
  const legs = await findByRole('group', 'Bit rate', figures)
  await click(await findByRole('button', 'Input', legs))
  await waitForText('Input 0 kbps', figures)
})

test('counters are shown if the leg has them, and are reset on request', async () => {
  await other.send(setChannelInput, { id: channelId, input: await addRtmpInput('Studio') })
  const report = { since: Date.now(), kbps: 1, 'kbps-avg': 900, 'kbps-peak': 1200, bytes: 1, 'pkt-loss-total': 7 }
  const console = await openChannelPage(undefined, 'history')
  const posted: string[] = []
  const now = await fetchChannel()
  console.intercept = (path) => {
    if (path.includes('/channel/baseline')) posted.push(path)
    const input = now.input && { ...now.input, report }
    return path.includes('/channel/query') ? Response.json({ result: SUCCESS, channel: { ...now, input } }) : undefined
  }
  const figures = await findCard('Bit rate')
  for (const line of ['Average 900 kbps', 'Peak 1.2 Mbps', 'Lost 7']) await waitForText(line, figures)
  assert.ok(!visibleText(figures).includes('Round trip'))
  await click(await findByRole('button', 'Reset statistics', figures))
  await until(() => posted.length === 1, 'the baseline')
})

test('errors of the transport stream stand beside the other counters, each with its name', async () => {
  await other.send(setChannelInput, { id: channelId, input: await addRtmpInput('Studio') })
  setObservedChannel(hub, channelId, CARRYING_LEG)
  const transport = {
    errors: { pat: { count: 3, at: 1 }, 'pcr-repetition': { count: 12, at: 1 } },
    'pcr-jitter-ms': 4.5
  }
  const report = { since: 0, kbps: 0, 'kbps-avg': 0, 'kbps-peak': 0, bytes: 0 }
  hub.parts.engine.legReport = () => ({ ...report, transport })
  await openChannelPage(undefined, 'history')
  const figures = await findCard('Bit rate')
  await waitForText('TR 101 290 errors PAT 3, PCR repetition 12 PCR jitter with network 5 ms', figures)
  hub.parts.engine.legReport = () => ({ ...report, transport: { errors: {} } })
  setObservedChannel(hub, channelId, CARRYING_LEG)
  await waitForText('TR 101 290 errors 0', figures)
})

test.run()
