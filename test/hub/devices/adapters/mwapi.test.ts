import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_WARNING_BITS } from '../../../../contract/device/status.ts'
import type { Adapter } from '../../../../hub/devices/adapters/adapter.ts'
import { adapterOf } from '../../../../hub/devices/adapters/generations.ts'
import { DECODER_SUMMARY, ENCODER_SUMMARY } from './examples.ts'

const test = suite('mwapi')
const mwapi = adapterOf('mwapi') as Adapter
const encoder = (device: object) =>
  mwapi.readStatus({ ...ENCODER_SUMMARY, device: { ...ENCODER_SUMMARY.device, ...device } })
const decoder = (ndi: object) => mwapi.readStatus({ ...DECODER_SUMMARY, ndi: { ...DECODER_SUMMARY.ndi, ...ndi } })

test('the documented response of an encoder is read', () => {
  assert.deepEqual(mwapi.readStatus(ENCODER_SUMMARY), {
    name: 'Stage left',
    cpu: 5.25,
    rx: 310_000,
    tx: 120_500_000,
    status: {
      eth: '192.0.2.20',
      mac: 'd0:c8:57:80:01:01',
      'link-speed': 1000,
      'up-time': 8006,
      temperature: 46.76,
      memory: 58.33,
      inputs: [{ name: '', signal: '1920x1080p60' }],
      outputs: [
        { name: '', signal: 'unconnected' },
        { name: 'NDI', signal: 'no-signal' }
      ]
    },
    warns: 0,
    input: '1920x1080p60',
    ndiSource: 'STAGE (left)'
  })
})

test('the NDI source of an encoder has the name of the device before it, and none while NDI is disabled', () => {
  const source = (ndi: object) =>
    mwapi.readStatus({ ...ENCODER_SUMMARY, ndi: { ...ENCODER_SUMMARY.ndi, ...ndi } })?.ndiSource
  assert.deepEqual(
    [source({ name: 'Channel 1' }), source({ enabled: false }), decoder({})?.ndiSource],
    ['STAGE LEFT (Channel 1)', '', undefined]
  )
})

test('the documented response of a decoder is read, with a warning for old firmware', () => {
  assert.deepEqual(mwapi.readStatus(DECODER_SUMMARY), {
    name: 'Foyer screen',
    cpu: 60,
    rx: 98_000_000,
    tx: 45_000,
    status: {
      eth: '192.0.2.21',
      'link-speed': 100,
      'up-time': 19972,
      temperature: 69.23,
      inputs: [{ name: 'NDI', signal: '1920x1080i59.94' }],
      outputs: [{ name: '', signal: 'active' }]
    },
    warns: DEVICE_WARNING_BITS.firmwareOld,
    input: '1920x1080i59.94'
  })
})

test('an encoder without a signal has a warning; one that is locking or has an unsupported signal does not', () => {
  for (const [word, warns] of [
    ['no-signal', DEVICE_WARNING_BITS.noSignal],
    ['locking', 0],
    ['unsupported', 0]
  ] as const) {
    const reading = encoder({ 'input-state': word })
    assert.deepEqual([reading?.input, reading?.warns], [word, warns])
  }
})

test('a decoder has a warning if its source is lost, not if no source is selected', () => {
  assert.equal(decoder({ connected: false })?.input, 'no-signal')
  assert.equal(decoder({ connected: false })?.warns, DEVICE_WARNING_BITS.noSignal | DEVICE_WARNING_BITS.firmwareOld)
  assert.equal(decoder({ connected: false, name: '' })?.warns, DEVICE_WARNING_BITS.firmwareOld)
})

test('of several inputs the first with a signal is used; without any there is a warning', () => {
  const inputs = { 'input-state': undefined, 'input-hdmi-1-state': 'no-signal', 'input-hdmi-2-state': '1280x720p30' }
  assert.deepEqual([encoder(inputs)?.input, encoder(inputs)?.warns], ['1280x720p30', 0])
  const none = { ...inputs, 'input-hdmi-2-state': 'no-signal', 'input-web-camera-state': 'no-signal' }
  assert.equal(encoder(none)?.warns, DEVICE_WARNING_BITS.noSignal)
})

test('the name of the product family is not read as the name of the device', () => {
  assert.equal(encoder({ name: 'Pro Convert' })?.name, undefined)
  assert.equal(encoder({ name: 'Pro Convert 2' })?.name, 'Pro Convert 2')
})

test('a response with an error code, or without a code, is not read', () => {
  for (const response of [{ ...ENCODER_SUMMARY, status: 37 }, {}, null, [], 'x'])
    assert.equal(mwapi.readStatus(response), undefined, JSON.stringify(response))
})

test('a rename is sent escaped and without other parameters', () => {
  assert.deepEqual(mwapi.rename('Stage+left #2'), {
    method: 'GET',
    path: '/mwapi?method=set-eth-config&name=Stage%2Bleft%20%232'
  })
})

test.run()
