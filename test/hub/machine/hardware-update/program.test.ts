import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import {
  LINE_MAX,
  PROCESS_MAX,
  Program,
  type ProgramEnd,
  WORDS_MAX
} from '../../../../hub/machine/hardware-update/program.ts'
import { HANG, print, programFile, programFolder, writeProgram } from '../../../kit/hub/hardware-program.ts'
import { until } from '../../../kit/until.ts'

const test = suite('program for hardware updates')
programFolder(test)

/** Runs a command of a shell as `status`. */
async function run(
  command: string,
  { lineCount = 10, onLine = (_line: string) => {}, signal = new AbortController().signal } = {}
): Promise<ProgramEnd & { lines: string[] }> {
  const lines: string[] = []
  const end = await new Program(writeProgram({ status: command })).run({
    command: 'status',
    lineCount,
    signal,
    onLine(line) {
      lines.push(line)
      onLine(line)
    }
  })
  return { ...end, lines }
}

test('its lines arrive, also the last one without a line break, and empty lines do not count', async () => {
  const end = await run("printf 'a\\n\\n\\nb'", { lineCount: 2 })
  assert.deepEqual(end, { words: '', lines: ['a', 'b'] })
})

test('it gets one argument, no input and no variables of the hub', async () => {
  process.env.HEADEND_TEST_SECRET = 'secret'
  const { lines } = await run('echo $#; cat; env | grep -v -e PWD -e SHLVL -e _= | cut -d= -f1 | sort; pwd')
  delete process.env.HEADEND_TEST_SECRET
  assert.deepEqual(lines, ['1', 'LANG', 'PATH', '/'])
})

test('a status other than 0 is a fault with the last words of its error output', async () => {
  const end = await run(`printf 'no \\033[1mcard\\t%01000d' 7 >&2; exit 3`)
  assert.equal(end.fault, 'exit')
  assert.ok(end.words.startsWith('no [1mcard 000'), end.words)
  assert.equal(end.words.length, WORDS_MAX)
})

test('a program that does not exist, or is no program, is a fault', async () => {
  const signal = new AbortController().signal
  const start = (path: string) => new Program(path).run({ command: 'status', lineCount: 1, onLine: () => {}, signal })
  assert.deepEqual(await start('/nonexistent/program'), { fault: 'not-started', words: 'ENOENT' })
  assert.deepEqual(await start('/'), { fault: 'not-started', words: 'EACCES' })
})

test('a line of 4096 characters is read, and a longer one ends the program', async () => {
  const line = (length: number) => `head -c ${length} /dev/zero | tr '\\0' x; echo`
  assert.equal((await run(line(LINE_MAX))).lines[0]?.length, LINE_MAX)
  assert.deepEqual(await run(`${line(LINE_MAX + 1)}; ${HANG}`), { fault: 'output', words: '', lines: [] })
})

test('a line without an end does not collect in memory', async () => {
  assert.deepEqual(await run("tr '\\0' x </dev/zero"), { fault: 'output', words: '', lines: [] })
})

test('more lines than it may print end the program', async () => {
  const { fault, lines } = await run('yes', { lineCount: 7 })
  assert.equal(fault, 'output')
  assert.equal(lines.length, 7)
})

test('a line that is refused ends the program, and is quoted', async () => {
  const end = await run(`${print('<html>')}; ${HANG}`, {
    onLine() {
      throw new Error('no')
    }
  })
  assert.deepEqual(end, { fault: 'output', words: '<html>', lines: ['<html>'] })
})

test('a program that hangs is ended with the processes that it has started', async () => {
  const abort = new AbortController()
  const file = programFile('child')
  const running = run(`trap '' TERM; ${HANG} & echo $! >${file}; wait`, { signal: abort.signal })
  await until(() => existsSync(file) && readFileSync(file, 'utf8'), 'the child')
  abort.abort()
  assert.equal((await running).fault, 'timeout')
  const child = readFileSync(file, 'utf8').trim()
  // A process that has ended may wait for its parent to collect it.
  await until(
    () => !existsSync(`/proc/${child}/stat`) || / Z /.test(readFileSync(`/proc/${child}/stat`, 'utf8')),
    'the end of the child'
  )
})

test('a process that it leaves behind does not delay its end', async () => {
  const file = programFile('left')
  const end = await run(`${print('a')}; setsid ${HANG} & echo $! >${file}`)
  process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL')
  assert.deepEqual(end, { words: '', lines: ['a'] })
})

test('no more than four of its processes exist', async () => {
  const abort = new AbortController()
  const program = new Program(writeProgram({ status: HANG }))
  const start = () => program.run({ command: 'status', lineCount: 1, onLine: () => {}, signal: abort.signal })
  const running = Array.from({ length: PROCESS_MAX }, start)
  const refused = { fault: 'timeout', words: '' }
  assert.deepEqual(await start(), refused)
  abort.abort()
  assert.deepEqual(await Promise.all(running), new Array(PROCESS_MAX).fill(refused))
})

test.run()
