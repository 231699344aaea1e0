import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ndiPreviewId, ndiSourceOfPreview } from '../../../contract/ndi/preview-id.ts'

const test = suite('preview ids of NDI sources')

test('an id contains the name in percent-encoding', () => {
  assert.equal(ndiPreviewId('STUDIO (Cam 1)'), 'NDI-STUDIO%20(Cam%201)')
  for (const name of ['STUDIO (Cam 1)', '演播室 (主)', 'ntkndi://ndi?name=A%20(B)&url=10.0.0.9', '%'])
    assert.equal(ndiSourceOfPreview(ndiPreviewId(name) ?? ''), name)
})

test('ids fit the headers that consoles search, and only one id stands for a source', () => {
  assert.equal(ndiPreviewId('x'.repeat(764))?.length, 768)
  for (const name of ['', 'x'.repeat(765), '演'.repeat(90)]) assert.equal(ndiPreviewId(name), undefined)
  for (const id of ['NDI-', 'NDI-A B', 'NDI-%', 'NDI-%41', 'ndi-A', 'DEV-A', 'CHANNEL-1'])
    assert.equal(ndiSourceOfPreview(id), undefined, id)
})

test.run()
