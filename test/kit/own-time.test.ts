import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import { ownTime } from './own-time.ts'

const test = suite('own time')

/** Computes for 300 ms of processor time, and prints how many milliseconds it has computed in all. */
const COMPUTES = `const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
const start = used()
while (used() < start + 300);
console.log(used())`

test('a pause counts', async () => {
  const took = await ownTime(() => promisify(execFile)('sleep', ['1']))
  assert.ok(took > 300, `${took} ms`)
})

test('a program that the test waits for counts without its waits for a processor', async () => {
  // They belong to no process of the test, as the other programs of a busy machine. The runner ends them.
  const loop = `${process.execPath} -e 'for (const end = Date.now() + 60000; Date.now() < end; );' &`
  for (let count = 0; count < 3 * availableParallelism(); count++) spawnSync('sh', ['-c', loop], { stdio: 'ignore' })
  let computed = 0
  const began = performance.now()
  const took = await ownTime(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', COMPUTES])
    computed = Number(stdout)
  })
  const elapsed = performance.now() - began
  assert.ok(computed >= 300 && took > 0.7 * computed, `${took} ms, of which it computed ${computed}`)
  assert.ok(took < 0.7 * elapsed, `${took} of ${elapsed} ms`)
})

test.run()
