import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { suite } from 'uvu'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { SANITIZED_RELAY, SANITIZED_SRT, watchSanitizers } from './sanitized-programs.ts'

const test = suite('programs with sanitizers')

for (const program of [SANITIZED_RELAY, SANITIZED_SRT])
  test(`${program.split('/').at(-1)} has both sanitizers`, () => {
    const symbols = execFileSync('readelf', ['-W', '--dyn-syms', program], { encoding: 'utf8', maxBuffer: 16 << 20 })
    for (const symbol of ['__asan_init', '__ubsan_handle_out_of_bounds_abort'])
      assert.ok(symbols.includes(symbol), symbol)
  })

test('the report of a sanitizer fails the test', async () => {
  const launcher = createLauncher()
  const watched = watchSanitizers(launcher)
  await new Promise<void>((resolve) => {
    const script = 'echo "==1==ERROR: AddressSanitizer: heap-buffer-overflow" >&2'
    watched.run({ program: 'sh', args: ['-c', script], onEnd: () => resolve() })
  })
  assert.throws(() => watched.assertNone(), /heap-buffer-overflow/)
})

test.run()
