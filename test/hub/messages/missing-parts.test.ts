import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { MISSING_PARTS } from '../../../contract/stream/missing-part.ts'
import { eventText } from '../../../hub/messages/events.ts'
import { missingPartText } from '../../../hub/messages/missing-parts.ts'
import { projectFiles, textOf } from '../../house/sources.ts'
import { assertTranslated } from '../../kit/both-languages.ts'

const test = suite('messages about missing parts')

test('every missing part has a sentence in both languages and is reported by the stream engine', () => {
  const engine = projectFiles()
    .filter((path) => path.startsWith('engine/'))
    .map(textOf)
    .join()
  for (const part of MISSING_PARTS) {
    assertTranslated((language) => [missingPartText(language, `${part} make native`)])
    for (const language of ['en', 'zh'] as const)
      assert.match(missingPartText(language, `${part} make native`), /make native/)
    assert.match(engine, new RegExp(`['\`]${part} `), `the engine does not report ${part}`)
  }
})

test('a log entry about a missing part is translated when it is read', () => {
  const detail = 'no-ffmpeg apt-get install -y ffmpeg'
  assert.equal(
    eventText('en', 'engine-missing', detail),
    'Component missing: ffmpeg. No channel can run. Install it with: apt-get install -y ffmpeg'
  )
  assert.equal(
    eventText('zh', 'engine-missing', detail),
    '缺少组件：ffmpeg。频道无法运行。安装命令：apt-get install -y ffmpeg'
  )
  assert.equal(
    eventText('zh', 'engine-missing', 'ffmpeg is missing, so no channel can run: apt-get install -y ffmpeg'),
    '缺少组件：ffmpeg is missing, so no channel can run: apt-get install -y ffmpeg'
  )
})

test.run()
