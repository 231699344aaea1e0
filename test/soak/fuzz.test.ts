// Each parser in C gets random variants of the inputs in test/engine/native/fuzz/corpus/ for ten minutes, all at once.
import { suite } from 'uvu'
import { assertNoFinding, buildFuzzTargets, FUZZ_TARGETS, type FuzzResult, fuzz } from '../kit/native/fuzzer.ts'

const test = suite('fuzzing of the native programs for ten minutes')

const SECONDS = 600
const results = new Map<string, Promise<FuzzResult>>()

test.before(() => {
  buildFuzzTargets()
  for (const target of FUZZ_TARGETS) results.set(target, fuzz(target, SECONDS))
})

for (const target of FUZZ_TARGETS)
  test(`${target} survives what a stranger sends`, async () => {
    assertNoFinding(target, (await results.get(target)) ?? { exitCode: null, output: '' })
  })

test.run()
