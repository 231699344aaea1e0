// Each parser in C gets random variants of the inputs in test/engine/native/fuzz/corpus/ for ten minutes, all at once.
import { suite } from 'uvu'
import { addFuzzTests } from '../kit/native/fuzzer.ts'

const test = suite('fuzzing of the native programs for ten minutes')

addFuzzTests(test, 600)

test.run()
