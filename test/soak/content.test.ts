// Content checks for an hour of three programmes, and three programmes through the engine for twenty minutes.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { DEFAULT_CONTENT_SETTINGS } from '../../contract/stream/content-settings.schema.ts'
import { fixture, fixtureForEach } from '../kit/engine/engine-fixture.ts'
import { assertNoAlarm } from '../kit/engine/measured-programme.ts'
import { runProcess } from '../kit/engine/media.ts'
import { encodeProgramme, secondsOf, variedProgramme } from '../kit/engine/programme.ts'
import { channel, urlInput } from '../kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../kit/net/free-port.ts'
import { until } from '../kit/until.ts'

const test = suite('content checks of long programmes')
fixtureForEach(test)

const HOUR = 3600
const PLAYED_SECONDS = 1200
const SEEDS = [7, 77, 777]

let folder = ''
test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'headend-programmes-'))
})
test.after(() => rmSync(folder, { recursive: true }))

for (const seed of SEEDS)
  test(`an hour of programme ${seed} raises no alarm`, () => {
    const [scenes, path] = [variedProgramme(seed, HOUR), join(folder, 'hour.ts')]
    encodeProgramme(path, scenes)
    assertNoAlarm(path, secondsOf(scenes))
    rmSync(path)
  })

test('three programmes that are played for twenty minutes raise no alarm, and are checked all the time', async () => {
  // Encoding takes a minute, in which those that play already would come to their end.
  const paths = SEEDS.map((seed) => join(folder, `played-${seed}.ts`))
  for (const [index, path] of paths.entries())
    encodeProgramme(path, variedProgramme(SEEDS[index] ?? 0, PLAYED_SECONDS + 60))
  for (const [index, path] of paths.entries()) {
    const port = await freeUdpPort()
    fixture.engine.apply({
      ...channel(index + 1, urlInput(index + 1, `udp://127.0.0.1:${port}`)),
      content: DEFAULT_CONTENT_SETTINGS
    })
    runProcess([
      '-v',
      'error',
      '-re',
      '-i',
      path,
      '-c',
      'copy',
      '-f',
      'mpegts',
      `udp://127.0.0.1:${port}?pkt_size=1316`
    ])
  }
  const inputs = () => SEEDS.map((_, index) => fixture.engine.observe(index + 1).input)
  for (let minute = 1; minute <= PLAYED_SECONDS / 60; minute++)
    await until(() => {
      for (const { reason, livingTimeS, content } of inputs()) {
        assert.equal(reason, undefined, `after ${livingTimeS} s`)
        if (livingTimeS > 20)
          assert.ok(
            content?.checks.every(({ state }) => state === 'good'),
            JSON.stringify(content)
          )
      }
      return inputs().every(({ livingTimeS }) => livingTimeS >= minute * 60)
    }, `minute ${minute} of the programmes was played`)
})

test.run()
