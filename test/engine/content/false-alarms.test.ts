// A programme without a fault must raise no alarm. Its times are those of its key frames and half seconds of sound.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { assertNoAlarm } from '../../kit/engine/measured-programme.ts'
import { encodeProgramme, PROGRAMME, secondsOf } from '../../kit/engine/programme.ts'

const test = suite('false alarms')

let folder = ''
test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'headend-programme-'))
})
test.after(() => rmSync(folder, { recursive: true }))

test('cuts, fades to black, a slide, credits and quiet speech with pauses raise no alarm', () => {
  const path = join(folder, 'programme.ts')
  encodeProgramme(path)
  const { pictures, sound } = assertNoAlarm(path, secondsOf(PROGRAMME))
  assert.ok(pictures.some(({ isBlack }) => isBlack) && sound.some(({ peak }) => peak < -60), 'it has black and pauses')
})

test.run()
