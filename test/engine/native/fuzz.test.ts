// Each parser in C gets random variants of the inputs in fuzz/corpus/ for some seconds, all at once; `make soak` does
// it for ten minutes (test/soak/fuzz.test.ts). The corpus has the inputs that once ended a program.
import { suite } from 'uvu'
import { assertNoFinding, buildFuzzTargets, FUZZ_TARGETS, type FuzzResult, fuzz } from '../../kit/native/fuzzer.ts'

const test = suite('fuzzing of the native programs')

const SECONDS = 15
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
