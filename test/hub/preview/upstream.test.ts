// Where the pictures of a preview ID come from.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createPreviewUpstream } from '../../../hub/preview/upstream.ts'

const test = suite('preview upstream')

test('the pictures of a device that sends NDI are those of its source, of one without pictures those on air', () => {
  const calls: string[] = []
  const subscribe = createPreviewUpstream({
    engine: {
      watchPreview: () => assert.fail('no channel is watched'),
      watchNdi({ name }) {
        calls.push(`ndi ${name}`)
        return () => {}
      }
    },
    links: {
      subscribePreviews(sn) {
        calls.push(`device ${sn}`)
        return () => {}
      }
    },
    cameraPictures: {
      subscribe(input) {
        calls.push(`camera of input ${input}`)
        return () => {}
      }
    },
    onAir: {
      watch(sn) {
        if (sn !== 'B431') return undefined
        calls.push(`on air ${sn}`)
        return () => {}
      }
    },
    ndiSourceOf: (sn) => (sn === 'B401' ? 'STAGE (Channel 1)' : '')
  })
  subscribe('DEV-B401', () => {}, false)
  subscribe('DEV-B313', () => {}, false)
  subscribe('INPUT-1001', () => {}, false)
  subscribe('DEV-B431', () => {}, false)
  assert.deepEqual(calls, ['ndi STAGE (Channel 1)', 'device B313', 'camera of input 1001', 'on air B431'])
})

test.run()
