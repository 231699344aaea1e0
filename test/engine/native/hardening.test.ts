// The programs in C are built so that a defect in a parser is harder to use: the binaries say how they were built.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { suite } from 'uvu'

const test = suite('hardening of the native programs')

const PROGRAMS = ['headend-relay', 'headend-recorder', 'headend-srt', 'headend-ndi']
const WATCHDOG = 'headend-watchdog'
const LIBRARY = 'headend-hide-args.so'

const readElf = (name: string, option: string): string =>
  execFileSync('readelf', ['-W', option, join(import.meta.dirname, '../../../build', name)], { encoding: 'utf8' })

const hasSymbol = (name: string, symbol: string): boolean => readElf(name, '--dyn-syms').includes(` ${symbol}@`)

for (const name of [...PROGRAMS, WATCHDOG])
  test(`${name} is loaded at an address that is not known before`, () => {
    assert.ok(/\(FLAGS_1\).* PIE/.test(readElf(name, '-d')))
  })

for (const name of [...PROGRAMS, WATCHDOG, LIBRARY]) {
  test(`the tables of the linker in ${name} are read-only when it runs`, () => {
    assert.ok(readElf(name, '-l').includes('GNU_RELRO'))
    assert.ok(/\(FLAGS\).*BIND_NOW/.test(readElf(name, '-d')))
  })

  test(`the stack of ${name} has canaries, and is not executable`, () => {
    assert.ok(hasSymbol(name, '__stack_chk_fail'))
    assert.ok(/GNU_STACK.* RW +0x/.test(readElf(name, '-l')))
  })

  test(`${name} calls functions of the C library that check bounds`, () => {
    assert.ok(hasSymbol(name, '__snprintf_chk'))
  })
}

// Only level 3 of the checks knows the size of a part of a buffer: here of the rest after the bytes of the last line.
for (const name of PROGRAMS)
  test(`${name} checks the bounds of a part of a buffer`, () => {
    assert.ok(hasSymbol(name, '__read_chk'))
  })

test.run()
