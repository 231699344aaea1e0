// Another input in place of one, in all channels that use it.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_EDIT, CHANNEL_VIEW, INPUT_OUTPUT_VIEW } from '../../../../contract/access/permissions.ts'
import { NOT_EXIST, SUCCESS } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import {
  addChannel,
  queryChannel,
  replaceInput,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { setChannelSecurity } from '../../../../contract/stream/channel-security.ts'
import { addInput } from '../../../../contract/stream/source.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('replacement of an input')
hubForEach(test)

const input = async (name: string) =>
  (await admin.send(addInput, { name, config: { type: 1, url: `rtmp://192.0.2.20/live/${name}` } })).id

async function channel(name: string, main: number, backups: number[] = []): Promise<number> {
  const { id } = await admin.send(addChannel, { name })
  await admin.send(setChannelInput, { id, input: main })
  assert.equal((await admin.send(setChannel, { id, name, config: { backups } })).result, SUCCESS)
  return id
}

async function inputsOf(id: number): Promise<(number | undefined)[]> {
  const { channel } = await admin.send(queryChannel, { id })
  return [channel.input?.id, ...(channel.config.backups ?? [])]
}

test('another input takes the place of one as main input and as backup, and stays in a channel once', async () => {
  const [broken, spare, third] = [await input('Broken'), await input('Spare'), await input('Third')]
  const channels = [
    await channel('Main', broken, [third]),
    await channel('Backup', third, [broken]),
    await channel('Both', broken, [third, spare]),
    await channel('Second', spare, [third, broken]),
    await channel('Other', third)
  ]
  const { result, channels: count } = await admin.send(replaceInput, { from: broken, input: spare })
  assert.deepEqual([result, count], [SUCCESS, 4])
  assert.deepEqual(await Promise.all(channels.map(inputsOf)), [
    [spare, third],
    [third, spare],
    [spare, third],
    [spare, third],
    [third]
  ])
  const [line] = (await admin.send(listLog, { type: 'operation' })).list
  assert.match(JSON.stringify(line), /Broken → Spare: Main, Backup, Both, Second/)
})

test('an input that nobody uses, an unknown one, and channels that the caller does not see are not changed', async () => {
  const [broken, spare] = [await input('Broken'), await input('Spare')]
  const [seen, hidden] = [await channel('Seen', broken), await channel('Hidden', broken)]
  await admin.send(setChannelSecurity, {
    id: hidden,
    security: { 'is-inherit': false, 'group-mask': 1, 'usr-mask': 0 }
  })
  const vera = addSignedInUser(hub, 'vera', CHANNEL_VIEW | CHANNEL_EDIT | INPUT_OUTPUT_VIEW)
  assert.equal((await vera.send(replaceInput, { from: broken, input: spare })).channels, 1)
  assert.deepEqual([await inputsOf(seen), await inputsOf(hidden)], [[spare], [broken]])
  const unused = await vera.send(replaceInput, { from: broken, input: spare })
  assert.deepEqual([unused.result, unused.field], [NOT_EXIST, 'from'])
  const unknown = await vera.send(replaceInput, { from: spare, input: 999_999 })
  assert.deepEqual([unknown.result, unknown.field], [NOT_EXIST, 'input'])
  assert.deepEqual(await inputsOf(seen), [spare])
})

test.run()
