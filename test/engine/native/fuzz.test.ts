// Each parser in C gets random variants of the inputs in fuzz/corpus/ for some seconds, all at once; `make soak` does
// it for ten minutes (test/soak/fuzz.test.ts). The corpus has the inputs that once ended a program.
import { suite } from 'uvu'
import { addFuzzTests } from '../../kit/native/fuzzer.ts'

const test = suite('fuzzing of the native programs')

addFuzzTests(test, 5)

test.run()
