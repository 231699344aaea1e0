import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { REASON_CODES } from '../../../contract/stream/reason.ts'
import { eventText } from '../../../hub/messages/events.ts'
import { appendReason, reasonText } from '../../../hub/messages/reasons.ts'
import { projectFiles, textOf } from '../../house/sources.ts'
import { assertTranslated } from '../../kit/both-languages.ts'

const test = suite('reason messages')

test('every reason code has a sentence in both languages and is used by the stream engine, or by the hub for its devices', () => {
  const sources = projectFiles()
    .filter((path) => path.startsWith('engine/') || path === 'hub/channels/offline-reason.ts')
    .map(textOf)
    .join()
  for (const key of REASON_CODES) {
    assertTranslated((language) => [reasonText(language, `${key} word`)])
    // Not `assert.match`, which would write all sources into the message.
    assert.ok(new RegExp(`['\`]${key}['\` ]`).test(sources), `nothing uses the reason ${key}`)
  }
})

test('a reason is translated with its value', () => {
  assert.equal(reasonText('en', 'no-data-for 10'), 'no data for 10 s')
  assert.equal(reasonText('zh', 'no-data-for 10'), '已 10 秒没有数据')
  assert.equal(reasonText('en', 'said srt://h: {0} $&'), 'srt://h: {0} $&')
  for (const unknown of ['no data at all', 'toString x', '']) assert.equal(reasonText('zh', unknown), unknown)
})

test('a log entry stores the reason code, which is translated when the entry is read', () => {
  const detail = appendReason('Hall: #1', 'target-stuck-for 10')
  assert.equal(eventText('en', 'output-down', detail), 'Output lost: Hall: #1: target not accepting data for 10 s')
  assert.equal(eventText('zh', 'output-down', detail), '输出已中断：Hall: #1：目标已 10 秒未接收数据')
  assert.equal(eventText('en', 'input-down', appendReason('Hall', undefined)), 'Input lost: Hall')
  const changed = appendReason('Hall', 'tracks-changed H.264, AAC → HEVC, AAC')
  assert.equal(eventText('en', 'input-changed', changed), 'Input changed: Hall: tracks H.264, AAC → HEVC, AAC')
  assert.equal(
    eventText('zh', 'track-lost', appendReason('Hall', 'audio-track-lost 2')),
    '输入异常：Hall：未收到音轨 2'
  )
  assert.equal(
    eventText('en', 'input-down', 'Hall: as an older hub wrote it'),
    'Input lost: Hall: as an older hub wrote it'
  )
})

test.run()
