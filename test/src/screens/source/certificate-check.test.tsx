// The certificate check in the forms of inputs and outputs, and where the console names that there is none.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addChannelOutputs, setChannelInput } from '../../../../contract/stream/channel.ts'
import { RTMP } from '../../../../contract/stream/protocols.ts'
import { addInput, addOutput, listInputs, listOutputs } from '../../../../contract/stream/source.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { channelForEach, channelId, fetchChannel, openChannelPage } from '../../../kit/console/channel-page.ts'
import { other } from '../../../kit/console/hub-for-each.ts'
import { click, fill, selectOption, waitForFieldMessage, waitForNone, waitForText } from '../../../kit/console/page.ts'
import { findForm, openAddDialog, openSourceList } from '../../../kit/console/source-list.ts'
import { buttonInRow, findRow } from '../../../kit/console/table-rows.ts'
import { makePair } from '../../../kit/tls/certificates.ts'
import { until } from '../../../kit/until.ts'

const test = suite('certificate check')
channelForEach(test)

const ACCEPTED = 'Any certificate accepted'
const { cert } = makePair({ isAuthority: true })
const target = { url: 'rtmps://a.example:443/live', key: 'k' }

test('an output over RTMPS verifies, until somebody chooses otherwise; its own CA is entered with it', async () => {
  await openSourceList(ROUTES.outputs)
  const { list, field, write, send } = await openAddDialog('Add output')
  await selectOption(await list('Protocol'), 'RTMP')
  await write({ Name: 'Out', Address: 'rtmps://a.example/live', 'Stream key': 'k' })
  const check = await list('Certificate check')
  assert.equal(check.value, 'verify')
  await selectOption(check, 'By an own CA')
  await send()
  const certificate = await field('CA certificate (PEM)')
  await waitForFieldMessage(certificate, 'Required')
  assert.equal(certificate.tagName, 'TEXTAREA')
  await fill(certificate, 'no certificate')
  await send()
  await waitForFieldMessage(certificate, 'Invalid certificate')
  await fill(certificate, cert)
  await send()
  await waitForNone('dialog')
  const [stored] = (await other.send(listOutputs, {})).list
  assert.deepEqual(stored?.config, { ...target, 'certificate-check': 'own-ca', 'trusted-certificates': cert.trim() })
})

test('an input that accepts any certificate is named so in the list, until it is edited', async () => {
  const url = 'https://a.example:443/list.m3u8'
  await other.send(addInput, { name: 'Feed', config: { type: 1, url, 'certificate-check': 'accept-any' } })
  await openSourceList(ROUTES.inputs)
  await waitForText(ACCEPTED, await findRow('Feed'))
  await click(await buttonInRow('Feed', /^Edit/))
  const { list, send } = await findForm('Edit Feed', 'Save')
  const check = await list('Certificate check')
  assert.equal(check.value, 'accept-any')
  await selectOption(check, 'By the authorities that the hub trusts')
  await send()
  await waitForNone('dialog')
  assert.ok(!(await findRow('Feed')).textContent?.includes(ACCEPTED))
  assert.deepEqual((await other.send(listInputs, {})).list[0]?.config, { type: 1, url })
})

test('the page of a channel and its answer name an input and an output that accept any certificate', async () => {
  const any = { 'certificate-check': 'accept-any' } as const
  const url = 'rtmps://a.example:443/live/key'
  const input = await other.send(addInput, { name: 'Feed', config: { type: 1, url, ...any } })
  await other.send(setChannelInput, { id: channelId, input: input.id })
  const outputs = [
    await other.send(addOutput, { name: 'Any', protocol: RTMP, config: { ...target, ...any } }),
    await other.send(addOutput, { name: 'Verified', protocol: RTMP, config: { ...target, key: 'other' } })
  ]
  await other.send(addChannelOutputs, { id: channelId, outputs: outputs.map(({ id }) => id), force: true })
  const channel = await fetchChannel()
  assert.deepEqual(
    [channel.input, ...channel.outputs.list].map((leg) => leg?.['accepts-any-certificate']),
    [true, true, undefined]
  )
  await openChannelPage()
  const count = () => (document.body.textContent ?? '').split(ACCEPTED).length - 1
  await until(
    () => count() === 2,
    () => `${count()} notes`
  )
})

test.run()
